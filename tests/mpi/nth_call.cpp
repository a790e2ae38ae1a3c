// SPDX-License-Identifier: BSL-1.0
// Further calls that make or read objects, and may be the one that fails: beside those of the ledger and of
// rma_calls.cpp.
#include "ledger.hpp"

#include <mpi.h>

namespace {

bool is_predefined(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

} // namespace

// READS(name, parameters, arguments); MAKES and FREES(objects, name, ...)
#define READS(name, parameters, arguments)                                                                             \
    int MPI_##name parameters { return ledger::fails_now(#name) ? MPI_ERR_OTHER : PMPI_##name arguments; }
#define MAKES(objects, name, parameters, arguments)                                                                    \
    int MPI_##name parameters {                                                                                        \
        auto const code = ledger::fails_now(#name) ? MPI_ERR_OTHER : PMPI_##name arguments;                            \
        ledger::current().objects += code == MPI_SUCCESS;                                                              \
        return code;                                                                                                   \
    }
#define FREES(objects, name, parameters, arguments)                                                                    \
    int MPI_##name parameters {                                                                                        \
        --ledger::current().objects;                                                                                   \
        return PMPI_##name arguments;                                                                                  \
    }

READS(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))
READS(Comm_rank, (MPI_Comm c, int* r), (c, r))
READS(Comm_size, (MPI_Comm c, int* n), (c, n))
READS(Comm_test_inter, (MPI_Comm c, int* i), (c, i))
READS(Group_size, (MPI_Group g, int* n), (g, n))
READS(Type_commit, (MPI_Datatype * t), (t))
READS(Type_get_extent, (MPI_Datatype t, MPI_Aint* l, MPI_Aint* e), (t, l, e))
// CONTENTS(name, parameters, arguments): of a datatype whose `n` parts are the caller's
#define CONTENTS(name, parameters, arguments)                                                                          \
    int MPI_##name parameters {                                                                                        \
        if (ledger::fails_now(#name)) return MPI_ERR_OTHER;                                                            \
        auto const code = PMPI_##name arguments;                                                                       \
        for (int part = 0; code == MPI_SUCCESS && part != n; ++part)                                                   \
            if (!is_predefined(parts[part])) ledger::current().datatypes.insert(parts[part]);                          \
        return code;                                                                                                   \
    }
#if MPI_VERSION >= 4
CONTENTS(Type_get_contents_c,
         (MPI_Datatype t, MPI_Count i, MPI_Count a, MPI_Count l, MPI_Count n, int* integers, MPI_Aint* addresses,
          MPI_Count* counts, MPI_Datatype* parts),
         (t, i, a, l, n, integers, addresses, counts, parts))
#else
CONTENTS(Type_get_contents,
         (MPI_Datatype t, int i, int a, int n, int* integers, MPI_Aint* addresses, MPI_Datatype* parts),
         (t, i, a, n, integers, addresses, parts))
#endif
MAKES(files, File_open, (MPI_Comm c, char const* p, int m, MPI_Info i, MPI_File* made), (c, p, m, i, made))
FREES(files, File_close, (MPI_File * f), (f))
MAKES(error_handlers, File_get_errhandler, (MPI_File f, MPI_Errhandler* made), (f, made))
READS(File_set_errhandler, (MPI_File f, MPI_Errhandler h), (f, h))
FREES(error_handlers, Errhandler_free, (MPI_Errhandler * h), (h))
