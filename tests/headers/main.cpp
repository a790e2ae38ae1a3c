// SPDX-License-Identifier: BSL-1.0
// The start of a program whose other files include all headers.
int main() {}
