! SPDX-License-Identifier: BSL-1.0
! A ring by both modules of MPI for Fortran, whose calls are known to tracing.py.
subroutine old_ring(steps)
  use mpi
  implicit none
  integer, intent(in) :: steps
  integer :: rank, ranks, step, ierror, requests(2)
  real(kind(1d0)) :: mine(100), theirs(100)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierror)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierror)
  mine = rank
  do step = 1, steps
    call mpi_irecv(theirs, 100, MPI_DOUBLE_PRECISION, modulo(rank - 1, ranks), 3, MPI_COMM_WORLD, requests(1), ierror)
    call mpi_isend(mine, 100, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 3, MPI_COMM_WORLD, requests(2), ierror)
    call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  end do
  if (nint(theirs(1)) /= modulo(rank - 1, ranks)) call mpi_abort(MPI_COMM_WORLD, 9, ierror)
end subroutine

program traced_fortran
  use mpi_f08
  implicit none
  integer :: step, rank
  real(kind(1d0)) :: values(5)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call old_ring(20)
  values = rank
  do step = 1, 7
    call MPI_Bcast(values, 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  end do
  if (nint(values(5)) /= 0) call MPI_Abort(MPI_COMM_WORLD, 9)
  call MPI_Finalize()
end program
