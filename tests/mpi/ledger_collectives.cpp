// SPDX-License-Identifier: BSL-1.0
#include "collective_table.hpp"
#include "ledger.hpp"

#include <sonde/mpi/collective/operation.hpp>

using namespace ledger;

#define LEDGER_WRAP(name, Name, parameters, arguments)                                                                 \
    int MPI_##Name parameters {                                                                                        \
        record_call(call::name, comm);                                                                                 \
        return current().dry ? record_length arguments : PMPI_##Name arguments;                                        \
    }                                                                                                                  \
    int MPI_I##name(LEDGER_LIST parameters, MPI_Request* made) {                                                       \
        record_call(call::i##name, comm);                                                                              \
        return record_request(PMPI_I##name(LEDGER_LIST arguments, made));                                              \
    }
LEDGER_COLLECTIVES(LEDGER_WRAP)

#if SONDE_MPI_PERSISTENT_COLLECTIVES

#define LEDGER_WRAP_INIT(prefix, name, Name, parameters, arguments)                                                    \
    int prefix##_##Name##_init(LEDGER_LIST parameters, MPI_Info info, MPI_Request* made) {                             \
        record_call(call::name##_init, comm);                                                                          \
        if (fails_now(#Name "_init")) return MPI_ERR_OTHER;                                                            \
        return record_handle(P##prefix##_##Name##_init(LEDGER_LIST arguments, info, made), made,                       \
                             current().persistent);                                                                    \
    }
#if MPI_VERSION >= 4
#define LEDGER_INIT(name, Name, parameters, arguments) LEDGER_WRAP_INIT(MPI, name, Name, parameters, arguments)
#else
#define LEDGER_INIT(name, Name, parameters, arguments) LEDGER_WRAP_INIT(MPIX, name, Name, parameters, arguments)
#endif
LEDGER_COLLECTIVES(LEDGER_INIT)

#endif
