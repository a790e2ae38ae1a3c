! SPDX-License-Identifier: BSL-1.0

!> Temperatures on the unit square, whose walls have temperature 0, distributed over the ranks.
module heat_field
  use mpi_f08
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private

  public :: make_field, free_field, exchange_by_messages, exchange_by_collective, smooth, largest_error
  public :: cart, bytes, messages

  real(real64), parameter :: pi = acos(-1.0_real64)

  type(MPI_Comm) :: cart                                         ! ranks in a grid, in the order of its dimensions
  integer(int64), protected :: bytes                             ! that this rank sends in an exchange
  integer, protected :: messages                                 ! of this rank in an exchange
  real(real64), allocatable, asynchronous :: u(:, :), next(:, :) ! cells of this rank in a frame of neighbors' cells
  integer :: cells(2), first(2)                                  ! of all ranks; the first of this rank, from 1
  real(real64) :: weights(2)                                     ! of the neighbors in each dimension
  ! By neighbor: before and after this rank in the first dimension, then in the second.
  integer :: neighbors(4)
  type(MPI_Datatype) :: edges(4)
  integer :: sent(2, 4), received(2, 4)                          ! first cell of an edge
  integer :: lengths(4), begins(4)                               ! of edges in `out` and `in`
  real(real64), allocatable, asynchronous :: out(:), in(:)       ! edges, one after the other

contains

  !> The temperatures sin(pi x) sin(pi y), which decay and keep their shape. Collective over the communicator.
  subroutine make_field(comm, all_cells)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: all_cells(2)
    integer :: ranks, rank, dims(2), at(2), n(2), i, j

    cells = all_cells
    call MPI_Comm_size(comm, ranks)
    dims = 0
    call MPI_Dims_create(ranks, 2, dims)
    call MPI_Cart_create(comm, 2, dims, [.false., .false.], .true., cart)
    call MPI_Comm_rank(cart, rank)
    call MPI_Cart_coords(cart, rank, 2, at)
    first = int(at * int(cells, int64) / dims) + 1
    n = int((at + 1) * int(cells, int64) / dims) + 1 - first
    weights = 0.2_real64 ! stable: the sum over the four neighbors is less than 1
    allocate (u(0:n(1) + 1, 0:n(2) + 1), source=0.0_real64)
    next = u
    do j = 1, n(2)
      do i = 1, n(1)
        u(i, j) = shape_at(i, j)
      end do
    end do
    call make_edges(n)
  end subroutine

  subroutine make_edges(n)
    integer, intent(in) :: n(2)
    type(MPI_Datatype) :: row, column

    call MPI_Cart_shift(cart, 0, 1, neighbors(1), neighbors(2))
    call MPI_Cart_shift(cart, 1, 1, neighbors(3), neighbors(4))
    call MPI_Type_vector(n(2), 1, n(1) + 2, MPI_DOUBLE_PRECISION, column)
    call MPI_Type_contiguous(n(1), MPI_DOUBLE_PRECISION, row)
    call MPI_Type_commit(column)
    call MPI_Type_commit(row)
    edges = [column, column, row, row]
    sent = reshape([1, 1, n(1), 1, 1, 1, 1, n(2)], shape(sent))
    received = reshape([0, 1, n(1) + 1, 1, 1, 0, 1, n(2) + 1], shape(received))
    lengths = [n(2), n(2), n(1), n(1)]
    begins = [0, n(2), 2 * n(2), 2 * n(2) + n(1)]
    allocate (out(sum(lengths)), in(sum(lengths)), source=0.0_real64) ! walls stay 0
    bytes = 8 * sum(int(lengths, int64), mask=neighbors /= MPI_PROC_NULL)
    messages = count(neighbors /= MPI_PROC_NULL)
  end subroutine

  subroutine free_field()
    call MPI_Type_free(edges(1))
    call MPI_Type_free(edges(3))
    call MPI_Comm_free(cart)
  end subroutine

  !> Four messages to the neighbors and four from them.
  subroutine exchange_by_messages()
    type(MPI_Request) :: requests(8)
    integer :: i

    do i = 1, 4
      call MPI_Irecv(u(received(1, i), received(2, i)), 1, edges(i), neighbors(i), 0, cart, requests(i))
    end do
    do i = 1, 4
      call MPI_Isend(u(sent(1, i), sent(2, i)), 1, edges(i), neighbors(i), 0, cart, requests(4 + i))
    end do
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
  end subroutine

  !> The same by a collective operation of the neighborhood, on copies of the edges. MPI_Neighbor_alltoallw needs none,
  !> but Open MPI's for Fortran reads as many datatypes as there are ranks, until 5.0.10.
  subroutine exchange_by_collective()
    associate (n => ubound(u) - 1)
      out = [u(1, 1:n(2)), u(n(1), 1:n(2)), u(1:n(1), 1), u(1:n(1), n(2))]
      call MPI_Neighbor_alltoallv(out, lengths, begins, MPI_DOUBLE_PRECISION, in, lengths, begins, MPI_DOUBLE_PRECISION, cart)
      u(0, 1:n(2)) = in(:n(2))
      u(n(1) + 1, 1:n(2)) = in(begins(2) + 1:begins(3))
      u(1:n(1), 0) = in(begins(3) + 1:begins(4))
      u(1:n(1), n(2) + 1) = in(begins(4) + 1:)
    end associate
  end subroutine

  !> Replace each cell by the mean of itself and its neighbors.
  subroutine smooth()
    real(real64), allocatable :: previous(:, :)
    integer :: i, j

    do j = 1, ubound(u, 2) - 1
      do i = 1, ubound(u, 1) - 1
        next(i, j) = u(i, j) + weights(1) * (u(i - 1, j) - 2 * u(i, j) + u(i + 1, j)) &
          + weights(2) * (u(i, j - 1) - 2 * u(i, j) + u(i, j + 1))
      end do
    end do
    call move_alloc(u, previous)
    call move_alloc(next, u)
    call move_alloc(previous, next)
  end subroutine

  !> Largest difference from the exact solution of the difference equation. Collective over the ranks.
  real(real64) function largest_error(steps)
    integer, intent(in) :: steps
    real(real64) :: factor, here
    integer :: i, j

    factor = (1 - sum(2 * weights * (1 - cos(pi / (cells + 1)))))**steps
    here = 0
    do j = 1, ubound(u, 2) - 1
      do i = 1, ubound(u, 1) - 1
        here = max(here, abs(u(i, j) - factor * shape_at(i, j)))
      end do
    end do
    call MPI_Allreduce(here, largest_error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, cart)
  end function

  !> The first temperature of a cell of this rank.
  real(real64) function shape_at(i, j)
    integer, intent(in) :: i, j

    shape_at = product(sin(pi * (first - 1 + [i, j]) / (cells + 1)))
  end function
end module

!> Solver of the heat equation on any number of ranks. It compares two implementations of its halo exchange while it
!> runs, and continues with the faster.
program heat
  use heat_field
  use mpi_f08
  use sonde
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  implicit none

  type(sonde_group) :: group
  type(sonde_probe) :: probe
  type(sonde_scope) :: in_step, in_halo, in_cells
  type(sonde_reporter) :: table
  procedure(sonde_exchange), pointer :: halo
  integer :: options(3) ! columns and rows of cells, steps
  real(real64) :: error

  call MPI_Init()
  if (.not. read_options()) then
    call MPI_Finalize()
    stop 2
  end if
  call make_field(MPI_COMM_WORLD, options(:2))

  ! [start]
  call group%init(cart%mpi_val) ! with integer handles: group%init(cart)
  call table%init(group)        ! tables on standard output, by rank 0
  call probe%init()
  in_step = probe%scope("step")
  in_halo = probe%scope("halo", parent=in_step, bytes=int(bytes))
  in_cells = probe%scope("cells", parent=in_step)
  ! [/start]

  halo => exchange_by_messages
  call advance(options(3) / 4)
  halo => exchange_by_collective
  call advance(options(3) / 4)
  call choose_halo()
  call advance(options(3) - options(3) / 4 * 2)
  call report_phases()

  error = largest_error(options(3))
  if (group%rank() == 0) print "(a, es8.1)", "largest difference from the exact solution: ", error
  call table%close()
  call probe%free()
  call group%free()
  call free_field()
  call MPI_Finalize()
  if (error > 1e-12_real64) error stop "heat: the solution is wrong"

contains

  subroutine advance(steps)
    integer, intent(in) :: steps
    integer :: i

    do i = 1, steps
      call in_step%enter()
      call in_halo%enter()
      call halo()
      call in_halo%leave()
      call in_cells%enter()
      call smooth()
      call in_cells%leave()
      call in_step%leave()
    end do
  end subroutine

  !> Compare the exchanges on the cells of this run, whose values they do not change, and continue with the faster.
  subroutine choose_halo()
    type(sonde_pattern) :: halos(2)
    type(sonde_plan) :: plan
    type(sonde_comparison) :: comparison
    integer :: fastest

    halos(1) = sonde_pattern("messages", exchange_by_messages, bytes, messages)
    halos(2) = sonde_pattern("collective", exchange_by_collective, bytes, messages)
    plan = sonde_interactive
    plan%time_budget = 0.5_real64
    call sonde_compare(group, plan, halos, comparison)
    call table%report(comparison)
    fastest = comparison%fastest() ! equal on all ranks
    halo => halos(fastest)%exchange
    if (group%rank() == 0) print "(a, a)", "used from now on: ", trim(halos(fastest)%name)
    call comparison%free()
  end subroutine

  subroutine report_phases()
    type(sonde_scopes) :: scopes

    call sonde_collect(group, probe, scopes) ! the only communication of a probe
    call table%report(scopes)
    call scopes%free()
  end subroutine

  !> Read the command line. False if it is invalid, after a message on rank 0.
  logical function read_options()
    character(32) :: word
    integer :: i, status, rank

    options = [512, 384, 400]
    read_options = command_argument_count() <= size(options)
    do i = 1, min(command_argument_count(), size(options))
      call get_command_argument(i, word)
      read (word, *, iostat=status) options(i)
      read_options = read_options .and. status == 0 .and. options(i) > 0
    end do
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0 .and. .not. read_options) write (error_unit, "(a)") "usage: heat [COLUMNS [ROWS [STEPS]]], each above 0"
  end function
end program
