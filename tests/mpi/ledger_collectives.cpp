// SPDX-License-Identifier: BSL-1.0
#include "collective_table.hpp"
#include "ledger.hpp"

#include <sonde/mpi/collective/operations.hpp>

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

// A program that was built with Open MPI 4 may run with 5.
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define LEDGER_OF_EITHER(name, Name, parameters, arguments)                                                            \
    extern "C" __attribute__((weak)) decltype(MPIX_##Name##_init) PMPIX_##Name##_init, PMPI_##Name##_init;
LEDGER_COLLECTIVES(LEDGER_OF_EITHER)
#define LEDGER_OTHER(Name) (PMPI_##Name##_init != nullptr ? PMPI_##Name##_init : PMPIX_##Name##_init)
#else
#define LEDGER_OTHER(Name) PMPI_##Name##_init
#endif

#define LEDGER_INIT(name, Name, parameters, arguments)                                                                 \
    int MPI_##Name##_init(LEDGER_LIST parameters, MPI_Info info, MPI_Request* made) {                                  \
        record_call(call::name##_init, comm);                                                                          \
        if (fails_now(#Name "_init")) return MPI_ERR_OTHER;                                                            \
        return record_handle(LEDGER_OTHER(Name)(LEDGER_LIST arguments, info, made), made, current().persistent);       \
    }
LEDGER_COLLECTIVES(LEDGER_INIT)

#endif
