! SPDX-License-Identifier: BSL-1.0

!> What the checks share, and the exchanges that they measure.
module checking
  use mpi
  use sonde
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, output_unit, real64
  implicit none
  public

  type :: counter
    integer :: exchanges = 0, completions = 0
  end type

  integer :: rank, ranks, failures = 0
  type(counter), target :: counted
  integer, target :: ierror
  type(sonde_group) :: group
  integer :: stat
  character(200) :: errmsg

  interface
    integer(c_int) function constant_of_c(i) bind(C)
      import
      integer(c_int), value :: i
    end function
    subroutine count_of_c(scope, seconds) bind(C)
      import
      type(c_ptr), value :: scope
      integer(c_int), value :: seconds
    end subroutine
    subroutine sleep_until(time) bind(C)
      import
      integer(c_int64_t), value :: time
    end subroutine
    subroutine plans_of_c(numbers) bind(C)
      import
      real(c_double), intent(out) :: numbers(8, 2)
    end subroutine
    subroutine figures_of_c(comm, numbers, text, size) bind(C)
      import
      integer(c_int), value :: comm
      real(c_double), intent(out) :: numbers(22)
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: size
    end subroutine
  end interface

contains

  subroutine check(holds, promise)
    logical, intent(in) :: holds
    character(*), intent(in) :: promise

    if (holds) return
    failures = failures + 1
    write (error_unit, "(a, i0, a)") "rank ", rank, ", not so: " // promise
  end subroutine

  !> The last call failed with this status and message.
  subroutine check_refused(expected, message)
    integer, intent(in) :: expected
    character(*), intent(in) :: message

    call check(stat == expected, message // " has its status")
    call check(errmsg == message, message // ", but: " // trim(errmsg))
    errmsg = "as before"
  end subroutine

  !> The last call failed on all ranks, with this message on the last one and another one elsewhere.
  subroutine check_refused_on_all(expected, on_last, elsewhere)
    integer, intent(in) :: expected
    character(*), intent(in) :: on_last, elsewhere

    if (rank == ranks - 1) call check_refused(expected, on_last)
    if (rank /= ranks - 1) call check_refused(expected, elsewhere)
  end subroutine

  character(40) function on_rank(number, format)
    integer, intent(in) :: number
    character(*), intent(in) :: format

    write (on_rank, format) number
  end function

  subroutine exchange()
    counted%exchanges = counted%exchanges + 1
  end subroutine

  subroutine complete()
    counted%completions = counted%completions + 1
  end subroutine

  !> Fails on the last rank, in the second iteration.
  subroutine fail_on_last()
    counted%exchanges = counted%exchanges + 1
    ierror = 0
    if (counted%exchanges == 2 .and. rank == ranks - 1) ierror = 7
  end subroutine

  subroutine exchange_with(state)
    class(*), intent(inout) :: state

    select type (state)
    type is (counter)
      state%exchanges = state%exchanges + 1
    end select
  end subroutine

  subroutine complete_with(state)
    class(*), intent(inout) :: state

    select type (state)
    type is (counter)
      state%completions = state%completions + 1
    end select
  end subroutine
end module

!> checks FILE.csv: what the module promises, on any number of ranks. checks stop, checks twice: what ends a program.
!> checks print FUNCTION: a function that fails within a print statement.
program checks
  use checking
  implicit none

  character(200) :: argument

  call MPI_Init(stat)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, stat)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, stat)
  call get_command_argument(1, argument)
  errmsg = "as before"
  call check_group()
  if (argument == "stop") call stop_without_stat()
  if (argument == "twice") call enter_twice()
  if (argument == "print") call fail_within_print()
  call check_constants()
  call check_counts()
  call check_state()
  call check_procedures_that_are_not_there()
  call check_failures()
  call check_arguments()
  call check_figures()
  call check_steps()
  call check_kept_times()
  call check_comparison()
  call check_probe()
  call check_lateness(trim(argument))
  call check_kept_passes()
  call check_monitor(trim(argument))
  call check_reports(trim(argument))
  call check_no_object()
  call check_freed_objects()
  call group%free(stat, errmsg)
  call check(stat == sonde_success .and. group%size() == 0, "a group is freed")
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, stat)
  call MPI_Finalize(stat)
  call group%init(MPI_COMM_WORLD, stat, errmsg)
  call check(stat == sonde_invalid_state, "MPI that has ended is an invalid state: " // errmsg)
  if (failures /= 0) error stop "checks failed"

contains

  subroutine check_group()
    call check(group%rank() == -1 .and. group%size() == 0, "a group has no ranks before init")
    call group%init(MPI_COMM_NULL, stat, errmsg)
    call check(stat == sonde_invalid_argument, "MPI_COMM_NULL is an invalid argument: " // errmsg)
    errmsg = "as before"
    call group%init(MPI_COMM_WORLD, stat, errmsg)
    call check(stat == sonde_success .and. errmsg == "as before", "a success leaves errmsg as it was")
    call check(group%rank() == rank .and. group%size() == ranks, "a group has the ranks of its communicator")
    call group%init(MPI_COMM_WORLD, stat, errmsg)
    call check_refused(sonde_invalid_state, "sonde: the group has a communicator: free it before")
  end subroutine

  subroutine stop_without_stat()
    procedure(sonde_exchange), pointer :: nothing
    type(sonde_record) :: record

    nothing => null()
    call sonde_run(group, sonde_plan(), nothing, record, name="halo")
  end subroutine

  subroutine enter_twice()
    type(sonde_probe) :: probe
    type(sonde_scope) :: scope

    call probe%init()
    scope = probe%scope("step")
    call scope%enter()
    call scope%enter()
  end subroutine

  subroutine fail_within_print()
    type(sonde_record) :: none, record
    type(sonde_comparison) :: comparison
    type(sonde_steps) :: steps

    call sonde_run(group, sonde_plan(samples=2), exchange, record)
    call sonde_compare(group, sonde_plan(samples=2), [sonde_pattern("base", exchange)], comparison)
    call get_command_argument(2, argument)
    select case (argument)
    case ("summary")
      print *, none%summary()
    case ("median")
      print *, none%median()
    case ("percentile")
      print *, record%percentile(0.99_real64)
    case ("speedup")
      print *, comparison%speedup(3)
    case ("fastest")
      print *, comparison%fastest(gain=-1.0_real64)
    case ("next")
      write (error_unit, *) steps%next()
    end select
  end subroutine

  subroutine check_constants()
    integer, parameter :: here(*) = [sonde_success, sonde_invalid_argument, sonde_invalid_state, sonde_mpi_error, &
      sonde_call_failed, sonde_other_rank, sonde_file_error, sonde_no_memory, sonde_failed, sonde_barrier_once, &
      sonde_barrier_each, sonde_no_barrier, sonde_dissemination, sonde_start_time, sonde_until_stable, sonde_by_timer, &
      sonde_keep_sample_means, sonde_keep_rank_means, sonde_keep_rank_samples, sonde_keep_on_all_ranks, &
      sonde_initiator, sonde_responder, sonde_idle, sonde_undecided, sonde_faster, sonde_slower, &
      sonde_scope_part, sonde_scope_work, sonde_scope_exchange]
    type(sonde_plan) :: plans(2)
    real(c_double) :: of_c(8, 2)
    integer :: i

    call check(all([(constant_of_c(i - 1) == here(i), i = 1, size(here))]), "constants are those of C")
    call check(constant_of_c(size(here)) == -2, "C has no other constants")
    call plans_of_c(of_c)
    plans(2) = sonde_interactive
    do i = 1, 2
      associate (p => plans(i))
        call check(all(of_c(:, i) == [real(p%warmup, real64), real(p%batch, real64), real(p%samples, real64), &
          p%relative_error, p%confidence, p%time_budget, real([p%synchronize, p%keep], real64)]), "plans are those of C")
      end associate
    end do
    call check(sonde_flag_name(1) == "timer_limited" .and. sonde_flag_name(0) == "" .and. sonde_flag_name(100) == "", &
      "flags have names")
    call check(all([(sonde_flag(sonde_flag_name(i)) == 2**(i - 1), i = 1, 6)]) .and. sonde_flag("none") == 0, &
      "flags have values")
    call check(verify(sonde_version(), "0123456789.") == 0 .and. len(sonde_version()) >= 5, "the version has numbers")
  end subroutine

  subroutine check_counts()
    type(sonde_record) :: record
    type(sonde_summary) :: summary
    real(real64), allocatable :: times(:)

    counted = counter()
    call sonde_run(group, sonde_plan(warmup=3, batch=4, samples=5), exchange, record, name="halo", bytes=1000, hops=2, &
      stat=stat, errmsg=errmsg)
    call check(stat == sonde_success .and. errmsg == "as before", "an exchange is measured")
    call check(counted%exchanges == 3 + 4 * 5, "an exchange is called for each iteration of warm-up and samples")
    summary = record%summary()
    call check(summary%samples == 5 .and. summary%batch == 4, "the summary has the plan's numbers")
    call check(summary%ranks == ranks .and. summary%initiators == ranks, "the summary has the number of ranks")
    call check(summary%stop_reason == "samples", "the summary has the reason of the end")
    call check(summary%latency == summary%median / 2, "the latency is that of one of the hops")
    call check(abs(summary%bandwidth * summary%median / (1000 * ranks) - 1) < 1e-12_real64, "the bandwidth is of the bytes")
    call check(.not. summary%has_interval .and. summary%low == 0, "5 samples have no interval")
    times = record%series()
    call check(size(times) == 5 .and. minval(times) == summary%min .and. maxval(times) == summary%max, &
      "the series has the times of the samples")
    call check(record%median() == summary%median, "a record has its median")
    call sonde_run(group, sonde_plan(warmup=0, samples=1), exchange, record, bytes=3000000000_int64, name=repeat("a name ", 20))
    summary = record%summary()
    call check(abs(summary%bandwidth * summary%median / (3e9_real64 * ranks) - 1) < 1e-12_real64, "bytes may be int64")
    call check(index(record%text(), trim(repeat("a name ", 20))) == 1, "a name has any length")
    call sonde_run(group, sonde_plan(warmup=0, batch=4, samples=5), exchange, record, name="halo")
    call check(size(record%rank_means()) == 0 .and. size(record%rank_samples(0)) == 0, "a record has no times that &
      &were not kept")
    call check(index(record%text(), "halo") == 1, "the line of a record begins with its name: " // record%text())
    call sonde_run(group, sonde_plan(warmup=0, samples=2), exchange, record)
    call check(size(record%series()) == 2, "a record is replaced by the next one")
    call record%free()
    call record%free()
    call check(size(record%series()) == 0 .and. record%text() == "", "a record that is freed is empty")
  end subroutine

  subroutine check_state()
    type(sonde_record) :: record
    type(sonde_pattern) :: pattern
    type(counter), target :: state

    pattern = sonde_pattern("with a state", exchange_with=exchange_with, complete_with=complete_with)
    pattern%state => state
    call sonde_run(group, sonde_plan(warmup=0, batch=4, samples=5), pattern, record)
    call check(state%exchanges == 20 .and. state%completions == 5, "a state is passed to the procedures of its pattern")
    counted = counter()
    call sonde_run(group, sonde_plan(warmup=0, batch=4, samples=5), &
      sonde_pattern("halo", exchange, complete=complete), record)
    call check(counted%exchanges == 20 .and. counted%completions == 5, "a sample ends with `complete`")
    pattern%state => null()
    call sonde_run(group, sonde_plan(), pattern, record, stat, errmsg)
    if (rank == 0) call check_refused(sonde_invalid_argument, "sonde: the state of with a state is null")
    call record%free()
  end subroutine

  subroutine check_procedures_that_are_not_there()
    procedure(sonde_exchange), pointer :: there
    type(sonde_pattern) :: patterns(2)
    type(sonde_comparison) :: comparison
    type(sonde_record) :: record

    there => exchange
    if (rank == ranks - 1) there => null()
    call sonde_run(group, sonde_plan(), there, record, name="halo", stat=stat, errmsg=errmsg)
    call check_refused_on_all(sonde_invalid_argument, "sonde: the procedure of halo is null", &
      trim(on_rank(ranks - 1, "('rank ', i0, ': sonde:')")) // " the function of halo is NULL")
    call check(record%text() == "", "a failure leaves the record as it was")
    call sonde_run(group, sonde_plan(), there, record, stat=stat, errmsg=errmsg)
    call check_refused_on_all(sonde_invalid_argument, "sonde: the procedure is null", &
      trim(on_rank(ranks - 1, "('rank ', i0, ': sonde:')")) // " the function is NULL")
    patterns = sonde_pattern("base", exchange)
    patterns(2)%name = "alternative"
    patterns(2)%exchange => there
    call sonde_compare(group, sonde_plan(), patterns, comparison, stat, errmsg)
    call check_refused_on_all(sonde_invalid_argument, "sonde: the procedure of alternative is null", &
      trim(on_rank(ranks - 1, "('rank ', i0, ': sonde:')")) // " the function of alternative is NULL")
    call check(comparison%count() == 0, "a failure leaves the comparison as it was")
  end subroutine

  subroutine check_failures()
    type(sonde_record) :: record
    type(sonde_pattern) :: pattern

    counted = counter()
    call sonde_run(group, sonde_plan(warmup=0), fail_on_last, record, ierror=ierror, stat=stat, errmsg=errmsg)
    if (rank == ranks - 1) then
      call check_refused(sonde_call_failed, "sonde: the function returned 7")
    else
      call check_refused(sonde_other_rank, "sonde: the measurement failed on " // trim(on_rank(ranks - 1, "('rank ', i0)")))
    end if
    counted = counter()
    pattern = sonde_pattern("halo", fail_on_last, ierror=ierror)
    if (rank == 0 .and. ranks > 1) pattern = sonde_pattern("halo", role=sonde_idle)
    call sonde_run(group, sonde_plan(warmup=0), pattern, record, stat, errmsg)
    if (rank == 0 .and. ranks > 1) call check_refused(sonde_other_rank, "sonde: the measurement failed on " // &
      trim(on_rank(ranks - 1, "('rank ', i0)")))
    errmsg = "as before"
    ierror = 7
    pattern = sonde_pattern("halo", exchange, ierror=ierror)
    call sonde_run(group, sonde_plan(), pattern, record, stat, errmsg)
    call check(stat == sonde_success .and. ierror == 0, "an ierror of before is no failure")
    call record%free()
  end subroutine

  !> Arguments that are wrong on the last rank.
  subroutine check_arguments()
    type(sonde_plan) :: plan
    type(sonde_pattern) :: pattern
    type(sonde_record) :: record
    type(sonde_comparison) :: comparison
    character(40) :: from

    from = on_rank(ranks - 1, "('rank ', i0, ': ')")
    plan%warmup = merge(-3, 0, rank == ranks - 1)
    call sonde_run(group, plan, exchange, record, stat=stat, errmsg=errmsg)
    call check_refused_on_all(sonde_invalid_argument, "sonde: the plan's warmup is negative: -3", &
      trim(from) // " sonde: the plan's warmup is negative: -3")
    plan = sonde_plan(samples=0)
    call sonde_run(group, plan, exchange, record, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the plan has none of samples, relative_error and time_budget")
    plan = sonde_plan(samples=merge(5, 6, rank == ranks - 1))
    call sonde_run(group, plan, exchange, record, stat=stat, errmsg=errmsg)
    if (ranks > 1) call check_refused(sonde_invalid_argument, &
      "sonde::run: the plan must be equal on all ranks; these parts differ: stopping rule")
    pattern = sonde_pattern("halo", exchange, bytes=merge(-1, 1, rank == ranks - 1))
    call sonde_run(group, sonde_plan(), pattern, record, stat, errmsg)
    call check_refused_on_all(sonde_invalid_argument, "sonde: the bytes of halo are negative or more than 2^53: -1", &
      trim(from) // " sonde: the bytes of halo are negative or more than 2^53: -1")
    pattern = sonde_pattern("halo", exchange, role=merge(3, 0, rank == ranks - 1))
    call sonde_run(group, sonde_plan(), pattern, record, stat, errmsg)
    call check_refused_on_all(sonde_invalid_argument, "sonde: the role of halo has no meaning: 3", &
      trim(from) // " sonde: the role of halo has no meaning: 3")
    pattern = sonde_pattern(repeat("halo", 1000))
    call sonde_run(group, sonde_plan(), pattern, record, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the procedure of " // repeat("halo", 24) // "h... is null")
    call sonde_compare(group, sonde_plan(), [sonde_pattern ::], comparison, stat, errmsg)
    call check(stat == sonde_invalid_argument, "a comparison of nothing is refused: " // errmsg)
    errmsg = "as before"
  end subroutine

  !> The record of 40 samples whose times are those of by_c.c.
  subroutine take_steps(record)
    type(sonde_record), intent(inout) :: record
    type(sonde_steps) :: steps
    type(sonde_pattern) :: pattern
    integer(int64) :: i, taken

    pattern = sonde_pattern("halo", bytes=3000, messages=4, hops=2, parameters=[sonde_parameter("faces", 4)])
    call steps%init(group, sonde_plan(warmup=0, batch=2, samples=40), pattern)
    taken = 0
    do while (steps%next())
      call check(steps%batch == 2, "a step has the batch of the plan")
      do i = 1, steps%samples
        call steps%synchronize()
        call steps%add(1000000 * taken, 1000000 * taken + 100000 + 1000 * mod(taken * 7, 10_int64) + 10 * rank)
        taken = taken + 1
      end do
    end do
    call check(taken == 40, "the steps have the samples of the plan")
    call steps%record(record)
    call steps%free()
  end subroutine

  subroutine check_figures()
    type(sonde_record) :: record
    real(c_double) :: of_c(22)
    character(kind=c_char) :: text_of_c(500)
    real(real64) :: here(size(of_c))
    character(:), allocatable :: text
    type(sonde_summary) :: s
    integer :: i

    call take_steps(record)
    call figures_of_c(MPI_COMM_WORLD, of_c, text_of_c, size(text_of_c, kind=c_size_t))
    s = record%summary()
    here = [real([s%samples, s%batch], real64), real([s%ranks, s%initiators], real64), s%median, s%low, s%high, &
      merge(1.0_real64, 0.0_real64, s%has_interval), s%mean, s%min, s%max, s%stddev, s%rank_min, s%rank_mean, s%rank_max, &
      s%first, s%latency, s%bandwidth, s%bus_bandwidth, s%message_rate, real(s%flags, real64), record%percentile(0.9_real64)]
    call check(all(here == of_c), "all figures are those of C")
    text = record%text()
    call check(all([(text(i:i) == text_of_c(i), i = 1, len(text))]) .and. text_of_c(len(text) + 1) == c_null_char, &
      "the line of a record is that of C")
    here(1) = record%percentile(0.001_real64, stat, errmsg)
    call check_refused(sonde_invalid_state, "sonde: the samples are too few for this percentile")
    here(1) = record%percentile(1.5_real64, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the quantile is not between 0 and 1: 1.5 (0.99 is the 99th percentile)")
    call record%free()
  end subroutine

  subroutine check_steps()
    type(sonde_steps) :: steps
    type(sonde_record) :: record

    call steps%init(group, sonde_plan(warmup=0, samples=3), sonde_pattern("halo"))
    call steps%record(record, stat, errmsg)
    call check(stat == sonde_invalid_state, "steps that are not complete have no record: " // errmsg)
    call steps%free()
    call steps%init(group, sonde_plan(warmup=0, samples=1), sonde_pattern("halo"))
    call check(steps%next() .and. steps%samples == 1, "the first step has its sample")
    if (rank == ranks - 1) call steps%fail(7)
    call steps%add(0_int64, 1000_int64)
    call check(.not. steps%next(stat, errmsg), "steps end where a rank fails")
    call check(stat == merge(sonde_call_failed, sonde_other_rank, rank == ranks - 1), "a failure of a step has its status")
    call steps%fail(0, stat, errmsg)
    call check(stat == sonde_invalid_argument, "a failure has a code: " // errmsg)
    errmsg = "as before"
    call steps%free()
    call steps%add(0_int64, 1_int64, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the measurement in steps is NULL")
  end subroutine

  subroutine check_kept_times()
    type(sonde_record) :: record

    call sonde_run(group, sonde_plan(warmup=0, samples=3, &
      keep=sonde_keep_rank_means + sonde_keep_rank_samples + sonde_keep_on_all_ranks), exchange, record)
    call check(size(record%rank_means()) == ranks, "the mean of each rank is kept")
    call check(size(record%rank_samples(ranks - 1)) == 3, "the samples of each rank are kept")
    call check(size(record%rank_samples(ranks)) == 0, "there are no samples of a rank that is not there")
    call record%free()
  end subroutine

  subroutine check_comparison()
    type(sonde_comparison) :: comparison
    type(sonde_record) :: record
    type(sonde_speedup) :: speedup
    integer :: fastest, lowest, highest

    call sonde_compare(group, sonde_plan(samples=30), &
      [sonde_pattern("base", exchange), sonde_pattern("alternative", fail_on_last)], comparison)
    call check(comparison%count() == 2, "a comparison has its alternatives")
    record = comparison%record(2)
    call check(index(record%text(), "alternative") == 1 .and. size(record%series()) == 30, "an alternative has a record")
    call record%free() ! of the comparison, which keeps it
    record = comparison%record(1)
    call check(index(record%text(), "base") == 1, "the first alternative is the base")
    record = comparison%record(3, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: there is no alternative 3")
    speedup = comparison%speedup(1)
    call check(speedup%speedup == 1 .and. speedup%outcome == sonde_undecided, "the base has the speed-up 1")
    speedup = comparison%speedup(2, gain=0.99_real64)
    call check(.not. speedup%has_interval .or. (speedup%low <= speedup%speedup .and. speedup%speedup <= speedup%high), &
      "a speed-up lies in its interval, if its rounds are not correlated")
    call check(comparison%fastest(gain=0.99_real64) == 1, "the base is the fastest if nothing is faster by the gain")
    fastest = comparison%fastest()
    call MPI_Allreduce(fastest, lowest, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, stat)
    call MPI_Allreduce(fastest, highest, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, stat)
    call check(lowest == highest .and. fastest >= 1 .and. fastest <= 2, "the fastest is one alternative on all ranks")
    speedup = comparison%speedup(3, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: there is no alternative 3")
    speedup = comparison%speedup(0, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: there is no alternative 0")
    fastest = comparison%fastest(gain=-1.0_real64, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the gain is not a number of at least 0 and below 1: -1 (0.02 is 2 %)")
    call comparison%set_application("halo", 1.0_real64, 2.0_real64, 10.0_real64)
    call comparison%set_application("halo", -1.0_real64, 2.0_real64, 10.0_real64, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: a time of the application is not a number of at least 0: -1")
    call comparison%free()
    call check(comparison%count() == 0, "a comparison that is freed is empty")
  end subroutine

  subroutine check_probe()
    type(sonde_probe) :: probe
    type(sonde_scope) :: step, halo, disabled
    type(sonde_scopes) :: scopes
    type(sonde_scope_summary) :: summary
    integer :: i

    call probe%init()
    step = probe%scope("step")
    halo = probe%scope("halo", parent=step, bytes=1000)
    do i = 1, 3
      call step%enter()
      call halo%enter()
      call halo%leave()
      call step%leave()
      call step%leave() ! ignored
      call disabled%enter() ! ignored
      call disabled%leave()
    end do
    call sonde_collect(group, probe, scopes)
    call check(scopes%count() == 2, "a probe has its scopes")
    summary = scopes%summary(2)
    call check(summary%name == "halo" .and. summary%parent == 1, "a scope has its name and the number of its parent")
    call check(summary%ranks == ranks .and. summary%passes == 3 * ranks, "a scope has the passes of all ranks")
    call check(summary%bytes == 3000 * ranks, "a scope has the bytes of all passes")
    call check(summary%slowest >= 0 .and. summary%slowest < ranks, "a scope has its slowest rank")
    summary = scopes%summary(1)
    call check(summary%name == "step" .and. summary%parent == 0, "an outermost scope has no parent")
    summary = scopes%summary(3, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: there is no scope 3")
    halo = probe%scope("halo", parent=step, bytes=2000, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde::probe: the scope has another number of bytes: halo")
    halo = probe%scope("halo", parent=step, bytes=-1, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the bytes of the scope halo are negative or more than 2^53: -1")
    halo = probe%scope("large", bytes=3000000000_int64)
    call halo%enter()
    call halo%leave()
    call sonde_collect(group, probe, scopes)
    summary = scopes%summary(3)
    call check(summary%bytes == 3e9_real64 * ranks, "a scope has more bytes than a default integer holds")
    call check(all(slow_ranks() == [merge(ranks - 1, -1, ranks > 1), -1]), "a scope has its slow rank, or none")
    call scopes%free()
    call probe%free()
  end subroutine

  !> The slow ranks of a scope in which the last rank takes ten times as long, and of one in which all take the same time.
  function slow_ranks()
    integer :: slow_ranks(2), i
    type(sonde_probe) :: probe
    type(sonde_scope) :: scope
    type(sonde_scopes) :: scopes
    type(sonde_scope_summary) :: summary

    call probe%init()
    scope = probe%scope("work")
    call count_of_c(transfer(scope, c_null_ptr), merge(1000, 100, rank == ranks - 1))
    scope = probe%scope("even")
    call count_of_c(transfer(scope, c_null_ptr), 1000)
    call sonde_collect(group, probe, scopes)
    do i = 1, 2
      summary = scopes%summary(i)
      slow_ranks(i) = summary%slow_rank
    end do
    call scopes%free()
    call probe%free()
  end function

  !> Steps of 15 ms, whose exchange ends after 12 ms on both ranks of the host. The late rank works 9 ms, the other 3 ms.
  !> None polls, so that other programs leave it its core when it wakes up.
  subroutine pass_steps(solve, halo, late)
    type(sonde_scope), intent(inout) :: solve, halo
    integer, intent(in) :: late
    integer(int64), parameter :: ms = 1000000
    integer(int64) :: begin
    integer :: i

    begin = sonde_now() + 15 * ms
    call MPI_Bcast(begin, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, stat)
    do i = 1, 60
      call sleep_until(begin)
      call solve%enter()
      call sleep_until(begin + merge(9, 3, rank == late) * ms)
      call solve%leave()
      call halo%enter()
      call sleep_until(begin + 12 * ms)
      call halo%leave()
      begin = begin + 15 * ms
    end do
  end subroutine

  !> Who made ranks wait, of two ranks; more have no cores of their own.
  subroutine check_lateness(file)
    character(*), intent(in) :: file
    type(sonde_probe) :: probe
    type(sonde_scope) :: solve, halo
    type(sonde_lateness) :: lateness
    type(sonde_loop_summary) :: loop
    character(:), allocatable :: text
    type(sonde_reporter) :: reporter
    integer :: i

    call probe%init()
    solve = probe%work("solve")
    halo = probe%exchange("halo", bytes=8, partners=[(i, i=0, ranks - 1)])
    if (ranks == 2) call pass_steps(solve, halo, 1)
    call sonde_collect_lateness(group, probe, lateness)
    loop = lateness%summary()
    call check(size(loop%exchanges) == 1 .and. size(loop%late) <= 2, "a loop has its exchanges and late ranks")
    if (ranks == 2) call check_loop(loop, 1)
    text = lateness%text()
    call check(ranks /= 2 .or. index(text, "Ranks waited ") == 1, "the first sentence says how long ranks waited")
    call check(text(len(text):) == ".", "the last sentence ends the text")
    call reporter%init(group, file(:index(file, ".", back=.true.)) // "txt")
    call reporter%report(lateness)
    call reporter%close()
    call lateness%free()
    call lateness%free()
    call check(lateness%text() == "", "lateness that is freed has no text")
    call reporter%report(lateness, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the reporter is NULL")
    call sonde_collect_lateness(group, probe, lateness, effect=1d0, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde::find_lateness: the effect must be at least 0 and below 1: 0.02 is 2 %")
    solve = probe%work("halo", stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde::probe: the scope is of another kind: halo")
    halo = probe%exchange("halo", partners=[ranks], stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde::probe: the scope has other partners: halo")
    call probe%free()
    call sonde_collect_lateness(group, probe, lateness, stat=stat, errmsg=errmsg)
    call check(stat == sonde_invalid_argument, "a probe that is freed has no lateness: " // errmsg)
    errmsg = "as before"
  end subroutine

  !> One file has the passes of all ranks, and a probe may outlive the monitor.
  subroutine check_monitor(file)
    character(*), intent(in) :: file
    type(sonde_monitor) :: monitor
    type(sonde_probe) :: probe
    type(sonde_scope) :: work
    character(:), allocatable :: path
    character(80) :: line
    logical :: written, exists
    integer :: i, writers

    path = file(:index(file, ".", back=.true.)) // "prom"
    call monitor%init(group, path, interval=3600.0_real64)
    call probe%init()
    call monitor%add(probe)
    work = probe%work("work")
    do i = 1, 5
      call work%enter()
      call work%leave()
    end do
    call work%enter()
    call MPI_Barrier(MPI_COMM_WORLD, stat)
    call monitor%write(written)
    call MPI_Allreduce(merge(1, 0, written), writers, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, stat)
    call check(writers == 1, "one rank writes the file of the node")
    write (line, "(a, i0)") 'scope="work"} ', 5 * ranks
    call check(has_line(path, trim(line)), "the file has the passes of all ranks")
    call check(.not. has_line(path, 'scope="work"} 0'), "a pass is under way")
    call MPI_Barrier(MPI_COMM_WORLD, stat)
    call work%leave()
    call monitor%write(stat=stat, errmsg=errmsg)
    call check(stat == sonde_success, "a monitor writes again")
    call monitor%free()
    call monitor%add(probe, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the monitor is NULL")
    call monitor%init(group, path, 1e-4_real64, stat, errmsg)
    call check(stat == sonde_invalid_argument, "an interval of 0.1 ms is refused: " // errmsg)
    errmsg = "as before"
    call work%enter()
    call work%leave()
    call probe%free()
    call MPI_Barrier(MPI_COMM_WORLD, stat)
    inquire (file=path, exist=exists)
    call check(.not. exists, "the last monitor removes the file")
  end subroutine

  !> True if a line of the file ends with a text.
  logical function has_line(path, ending)
    character(*), intent(in) :: path, ending
    character(1000) :: line
    integer :: unit, status, first

    has_line = .false.
    open (newunit=unit, file=path, action="read", status="old")
    do
      read (unit, "(a)", iostat=status) line
      if (status /= 0) exit
      first = len_trim(line) - len(ending) + 1
      if (first >= 1) has_line = has_line .or. line(max(first, 1):len_trim(line)) == ending
    end do
    close (unit)
  end function

  !> Of 100 steps, the latest 64 are kept. Each fifth one works ten times as long. Rank 0 passes the exchange once more.
  subroutine check_kept_passes()
    type(sonde_probe) :: probe
    type(sonde_scope) :: solve, halo
    type(sonde_lateness) :: lateness
    type(sonde_loop_summary) :: loop
    character(:), allocatable :: text
    integer :: i

    call probe%init(kept_passes=0, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde::probe: it would keep more than 2^32 passes")
    call probe%init(kept_passes=128)
    solve = probe%work("solve")
    halo = probe%exchange("halo")
    do i = 1, merge(101, 100, rank == 0)
      call solve%enter()
      call sleep_until(sonde_now() + merge(2000000, 200000, mod(i, 5) == 0))
      call solve%leave()
      call halo%enter()
      call halo%leave()
    end do
    call sonde_collect_lateness(group, probe, lateness, effect=0.1d0, false_alarms=0.02d0)
    loop = lateness%summary()
    text = lateness%text()
    associate (e => loop%exchanges(1))
      call check(e%passes + e%unexamined == merge(101, 100, ranks == 1) .and. e%unexamined == 37, "128 passes are kept")
      call check(e%is_unequal .eqv. ranks > 1, "ranks passed an exchange unequally often")
      if (e%is_unequal) call check(all([e%fewest, e%most] == [100, 101]) .and. e%fewest_rank == 1, "and how often")
    end associate
    call check((index(text, "`solve` on most ranks: ") /= 0) .eqv. any([(loop%effects(i)%scope == "solve", &
      i = 1, size(loop%effects))]), "an effect is in the text and in the summary")
    do i = 1, size(loop%effects) ! none if other programs disturb the loop
      associate (e => loop%effects(i))
        call check(size(e%steps) > 0 .and. e%of_steps == loop%exchanges(1)%passes - 1 .and. e%p < 0.02, "it has steps")
        if (e%kind == "period" .and. e%scope == "solve") call check(e%period == 5 .and. all(mod(e%steps, 5_int64) == 4) &
          .and. e%excess > 1e-3 .and. e%typical > 1e-4, "each fifth step")
      end associate
    end do
    call lateness%free()
    call probe%free()
  end subroutine

  subroutine check_loop(loop, late)
    type(sonde_loop_summary), intent(in) :: loop
    integer, intent(in) :: late
    integer :: i

    call check(loop%steps == 60 .and. loop%observed > 0 .and. loop%clock_error >= 0, "a loop has its steps")
    call check(size(loop%exchanges) == 1 .and. size(loop%ranks) == ranks, "a loop has its exchanges and ranks")
    call check(loop%exchanges(1)%name == "halo" .and. loop%exchanges(1)%passes == 60, "an exchange has its passes")
    call check(loop%waiting > 0.01 .and. loop%waiting + loop%transfer < 1, "a loop has shares of waiting and transfer")
    call check(loop%exchanges(1)%waiting > 0 .and. loop%exchanges(1)%transfer > 0, "an exchange has its times")
    call check(loop%ranks(0)%waiting > 0 .and. loop%ranks(late)%caused_by_work > 0, "ranks are counted from 0")
    i = findloc(loop%late%rank, late, 1) ! beside a rank that another program has disturbed
    call check(loop%enough_steps .and. i /= 0, "the last rank is late")
    if (i == 0) return
    associate (l => loop%late(i))
      call check(l%exchange == "halo" .and. l%work == "solve", "a late rank has exchange and work")
      call check(l%share > 0.3 .and. l%caused > 0 .and. l%lateness > 3e-3 .and. l%ratio > 1.5, "a late rank has figures")
      call check(size(l%steps) > 15 .and. size(l%steps) <= l%of_steps .and. .not. l%of_other_steps, "and its steps")
    end associate
  end subroutine

  subroutine check_reports(file)
    character(*), intent(in) :: file
    type(sonde_reporter) :: reporter
    type(sonde_record) :: record
    character(1000) :: line
    integer :: unit

    call take_steps(record)
    call reporter%init(group, file)
    call reporter%init(group, file, stat, errmsg)
    call check_refused(sonde_invalid_state, "sonde: the reporter has a file: close it before")
    write (output_unit, "(a)") reported(reporter, record)
    call reporter%close()
    if (rank == 0) then
      open (newunit=unit, file=file, status="old", action="read")
      read (unit, "(a)") line
      call check(index(line, "name,faces,") == 1, "a report begins with the names of its columns: " // trim(line))
      read (unit, "(a)") line
      call check(index(line, "halo,4,") == 1, "a report has the record: " // trim(line))
      close (unit)
    end if
    call reporter%init(group, "/no such folder/report.csv", stat, errmsg)
    call check(stat == sonde_file_error, "a file that cannot be written is refused on all ranks: " // errmsg)
    call reporter%init(group, "report.doc", stat, errmsg)
    call check(stat == sonde_invalid_argument, "the ending of the name is a format: " // errmsg)
    errmsg = "as before"
    call reporter%report(record, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the reporter is NULL")
    call record%free()
  end subroutine

  !> A function that reports to a file can be called within a statement that holds the unit of standard output.
  character(12) function reported(reporter, record)
    type(sonde_reporter), intent(in) :: reporter
    type(sonde_record), intent(in) :: record

    call reporter%report(record, stat, errmsg)
    reported = merge("reported    ", "not reported", stat == sonde_success)
  end function

  !> Objects that were not made, on all ranks.
  subroutine check_no_object()
    type(sonde_group) :: nobody
    type(sonde_record) :: record
    type(sonde_summary) :: summary
    type(sonde_comparison) :: comparison
    type(sonde_probe) :: probe
    type(sonde_scopes) :: scopes
    type(sonde_scope) :: scope
    type(sonde_steps) :: steps
    integer :: fastest

    call sonde_run(nobody, sonde_plan(), exchange, record, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the group is NULL")
    call steps%init(nobody, sonde_plan(), sonde_pattern("halo"), stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the group is NULL")
    summary = record%summary(stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the record is NULL")
    summary%median = record%median(stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the record is NULL")
    record = comparison%record(1, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the comparison is NULL")
    fastest = comparison%fastest(stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the comparison is NULL")
    scope = probe%scope("step", stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the probe is NULL")
    call sonde_collect(group, probe, scopes, stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the probe is NULL")
    call nobody%free(stat, errmsg)
    call check(stat == sonde_success, "a group that was not made is freed")
  end subroutine

  !> Copies of variables whose objects were freed, also by the procedure that gave the next record.
  subroutine check_freed_objects()
    type(sonde_group) :: own, copy_of_group
    type(sonde_record) :: record, copy, kept
    type(sonde_summary) :: summary

    call own%init(MPI_COMM_WORLD)
    copy_of_group = own
    call sonde_run(own, sonde_plan(samples=3), exchange, record)
    copy = record
    call sonde_run(own, sonde_plan(samples=4), exchange, record)
    summary = copy%summary(stat, errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the record has been freed, or was never made")
    call check(size(copy%series()) == 0 .and. copy%text() == "", "a record that was freed has no times")
    call copy%free()
    kept = record
    record = sonde_record()
    call sonde_run(own, sonde_plan(samples=5), exchange, record)
    call check(size(kept%series()) == 4 .and. size(record%series()) == 5, "a record that was handed over is kept")
    call own%free()
    call check(copy_of_group%rank() == -1 .and. copy_of_group%size() == 0, "a group that was freed has no ranks")
    call sonde_run(copy_of_group, sonde_plan(), exchange, record, stat=stat, errmsg=errmsg)
    call check_refused(sonde_invalid_argument, "sonde: the group has been freed, or was never made")
    call copy_of_group%free()
    call record%free()
    call kept%free()
  end subroutine
end program
