! SPDX-License-Identifier: BSL-1.0

!> An exchange between neighbors of a ring, measured in the ways of the module `sonde`.
! [procedure]
module ring_of_ranks
  use mpi
  implicit none

  integer, parameter :: n = 1024
  double precision :: mine(n), theirs(n)
  integer :: next, previous
  integer, target :: ierror

contains

  subroutine exchange()
    call MPI_Sendrecv(mine, n, MPI_DOUBLE_PRECISION, next, 0, theirs, n, MPI_DOUBLE_PRECISION, previous, 0, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end subroutine
end module
! [/procedure]

module ring_with_state
  use mpi
  implicit none

  type :: ring
    integer :: comm, next, previous
    double precision, allocatable :: mine(:), theirs(:)
  end type

contains

  subroutine exchange_with(state)
    class(*), intent(inout) :: state
    integer :: ierror

    select type (state)
    type is (ring)
      call MPI_Sendrecv(state%mine, size(state%mine), MPI_DOUBLE_PRECISION, state%next, 0, state%theirs, &
        size(state%theirs), MPI_DOUBLE_PRECISION, state%previous, 0, state%comm, MPI_STATUS_IGNORE, ierror)
    end select
  end subroutine
end module

program ring_in_fortran
  use mpi
  use ring_of_ranks
  use ring_with_state
  use sonde
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none

  type(sonde_group) :: group
  integer :: rank, ranks

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  mine = rank
  call group%init(MPI_COMM_WORLD) ! with mpi_f08: MPI_COMM_WORLD%mpi_val
  call measure_procedure()
  call measure_with_state()
  call measure_own_loop()
  call group%free() ! before MPI_Finalize
  call MPI_Finalize(ierror)
  if (any(nint(theirs) /= previous)) error stop "ring: wrong values"

contains

  subroutine measure_procedure()
    ! [first]
    type(sonde_record) :: record

    call sonde_run(group, sonde_interactive, exchange, record, name="ring", bytes=8 * n)
    if (rank == 0) print "(a)", record%text()
    ! [/first]

    block
      type(sonde_summary) :: summary
      real(real64), allocatable :: times(:)

      summary = record%summary()
      allocate (times, source=record%series())
      if (rank == 0) print "(a, f6.2, a, i0, a)", "median", summary%median * 1e6, " us of ", size(times), " samples"
    end block

    block
      integer :: stat
      character(200) :: errmsg

      call sonde_run(group, sonde_plan(samples=0), exchange, record, stat=stat, errmsg=errmsg)
      if (stat /= sonde_success .and. rank == 0) print "(a)", trim(errmsg)
    end block

    call sonde_run(group, sonde_plan(samples=50), exchange, record, ierror=ierror)
    call record%free()
  end subroutine

  subroutine measure_with_state()
    type(ring), target :: state
    type(sonde_pattern) :: pattern
    type(sonde_record) :: record
    type(sonde_reporter) :: table

    state = ring(MPI_COMM_WORLD, next, previous, mine, mine)
    pattern = sonde_pattern("ring", bytes=8 * n, messages=1, parameters=[sonde_parameter("elements", n)])
    pattern%exchange_with => exchange_with
    pattern%state => state
    call sonde_run(group, sonde_plan(warmup=20, samples=200), pattern, record)
    call table%init(group)
    call table%report(record)
    call table%close()
    call record%free()
  end subroutine

  subroutine measure_own_loop()
    ! [steps]
    type(sonde_steps) :: steps
    type(sonde_record) :: record
    integer(int64) :: i, k, begin

    call steps%init(group, sonde_interactive, sonde_pattern("own loop", bytes=8 * n))
    do while (steps%next())
      do i = 1, steps%samples
        call steps%synchronize()
        begin = sonde_now()
        do k = 1, steps%batch
          call exchange()
        end do
        call steps%add(begin, sonde_now())
      end do
    end do
    call steps%record(record)
    call steps%free()
    ! [/steps]
    if (rank == 0) print "(a)", record%text()
    call record%free()
  end subroutine
end program
