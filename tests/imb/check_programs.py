#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks one side of the IMB programs: check_programs.py MODULE"""
import sys
import unittest

if __name__ == "__main__":
    unittest.main(module=sys.argv.pop(1), verbosity=2)
