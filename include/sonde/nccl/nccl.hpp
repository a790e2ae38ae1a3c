// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/nccl/collectives.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/error.hpp>
#include <sonde/nccl/forms.hpp>
#include <sonde/nccl/link.hpp>
#include <sonde/nccl/message.hpp>
#include <sonde/nccl/queue.hpp>
#include <sonde/nccl/wait.hpp>
