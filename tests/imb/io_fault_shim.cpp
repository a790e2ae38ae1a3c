// SPDX-License-Identifier: BSL-1.0
// Preloaded: one MPI file call fails with MPI_ERR_NO_SPACE, once. $SONDE_IO_FAULT has the function, the rank in the
// world and the number of the call there: "MPI_File_write 1 3". The other ranks of a collective call still complete it
// with this one.
#include <mpi.h>

#include <cstdlib>
#include <sstream>
#include <string>

namespace {

bool fails(char const* call) {
    static long made = 0;
    std::string which;
    int rank = 0, here = 0;
    long at = 0;
    std::istringstream{std::getenv("SONDE_IO_FAULT")} >> which >> rank >> at;
    PMPI_Comm_rank(MPI_COMM_WORLD, &here);
    return which == call && here == rank && ++made == at;
}

} // namespace

extern "C" {

int MPI_File_open(MPI_Comm comm, char const* path, int mode, MPI_Info info, MPI_File* file) {
    auto const code = PMPI_File_open(comm, path, mode, info, file);
    return fails("MPI_File_open") ? MPI_ERR_NO_SPACE : code;
}
int MPI_File_write(MPI_File file, void const* data, int n, MPI_Datatype type, MPI_Status* status) {
    return fails("MPI_File_write") ? MPI_ERR_NO_SPACE : PMPI_File_write(file, data, n, type, status);
}
int MPI_File_iwrite_at(MPI_File file, MPI_Offset at, void const* data, int n, MPI_Datatype type, MPI_Request* request) {
    return fails("MPI_File_iwrite_at") ? MPI_ERR_NO_SPACE : PMPI_File_iwrite_at(file, at, data, n, type, request);
}
int MPI_File_write_all_begin(MPI_File file, void const* data, int n, MPI_Datatype type) {
    auto const code = PMPI_File_write_all_begin(file, data, n, type);
    if (!fails("MPI_File_write_all_begin")) return code;
    MPI_Status status;
    PMPI_File_write_all_end(file, data, &status);
    return MPI_ERR_NO_SPACE;
}

} // extern "C"
