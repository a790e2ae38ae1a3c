! SPDX-License-Identifier: BSL-1.0

!> Sonde for Fortran: measure an exchange of the application on its own communicator. Fortran 2008.
!>
!> The module calls the C interface, <sonde/c/sonde.h>, which is in the library libsonde. It has no MPI of its own: a
!> communicator is its integer handle, `comm` of `use mpi`, or `comm%mpi_val` of `use mpi_f08`. So it compiles with any
!> MPI library, whichever compiler has made its modules.
!>
!> All times are seconds. Procedures have `stat=` and `errmsg=` as the statement ALLOCATE has them: `stat` is
!> `sonde_success` or what failed, and `errmsg` is changed by a failure only. Without `stat=` a failure is written to the
!> standard error, and `error stop` ends the program. A procedure that fails leaves its results as they were.
!>
!> Objects are references: an assignment makes a second name of one object, which is freed by one of the names, and is
!> then an error under the other one. No type has a finalizer, since a group must be freed by all ranks and before
!> MPI_Finalize.
module sonde
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, output_unit, real64
  implicit none
  private

  public :: sonde_group, sonde_plan, sonde_parameter, sonde_pattern, sonde_record, sonde_summary, sonde_comparison, &
    sonde_speedup, sonde_steps, sonde_probe, sonde_scope, sonde_scopes, sonde_scope_summary, sonde_lateness, &
    sonde_loop_summary, sonde_late_rank, sonde_exchange_lateness, sonde_rank_lateness, sonde_slow_transfer, &
    sonde_scope_effect, sonde_monitor, sonde_reporter
  public :: sonde_exchange, sonde_exchange_with
  public :: sonde_run, sonde_compare, sonde_collect, sonde_collect_lateness, sonde_now, sonde_version, sonde_flag, sonde_flag_name

  ! What failed: values of `stat=`.
  integer, parameter, public :: sonde_success = 0
  integer, parameter, public :: sonde_invalid_argument = 1 ! an argument, or plans that differ between ranks
  integer, parameter, public :: sonde_invalid_state = 2    ! MPI is not running, or the call does not fit those before it
  integer, parameter, public :: sonde_mpi_error = 3        ! an MPI call failed
  integer, parameter, public :: sonde_call_failed = 4      ! the exchange failed on this rank
  integer, parameter, public :: sonde_other_rank = 5       ! the exchange failed on another rank
  integer, parameter, public :: sonde_file_error = 6       ! a file cannot be written
  integer, parameter, public :: sonde_no_memory = 7
  integer, parameter, public :: sonde_failed = 8           ! any other failure

  ! `synchronize` of a plan.
  integer, parameter, public :: sonde_barrier_once = 0  ! a barrier before the first sample
  integer, parameter, public :: sonde_barrier_each = 1  ! the library's barrier before each sample
  integer, parameter, public :: sonde_no_barrier = 2    ! the exchange synchronizes itself
  integer, parameter, public :: sonde_dissemination = 3 ! a barrier of empty messages before each sample
  integer, parameter, public :: sonde_start_time = 4    ! samples start on all ranks at one time of a global clock

  integer, parameter, public :: sonde_until_stable = -1 ! `warmup` of a plan
  integer, parameter, public :: sonde_by_timer = 0      ! `batch` of a plan

  ! `keep` of a plan: a sum of these.
  integer, parameter, public :: sonde_keep_sample_means = 1
  integer, parameter, public :: sonde_keep_rank_means = 2
  integer, parameter, public :: sonde_keep_rank_samples = 4
  integer, parameter, public :: sonde_keep_on_all_ranks = 8

  ! `role` of a pattern.
  integer, parameter, public :: sonde_initiator = 0 ! times count
  integer, parameter, public :: sonde_responder = 1 ! takes part; times do not count
  integer, parameter, public :: sonde_idle = 2      ! does not take part

  ! `outcome` of a speed-up.
  integer, parameter, public :: sonde_undecided = 0
  integer, parameter, public :: sonde_faster = 1
  integer, parameter, public :: sonde_slower = 2

  ! `kind` of a scope.
  integer, parameter, public :: sonde_scope_part = 0     ! anything: a step, a phase
  integer, parameter, public :: sonde_scope_work = 1     ! computes, and does not wait for other ranks
  integer, parameter, public :: sonde_scope_exchange = 2 ! waits for other ranks

  ! ---- The ranks of a communicator ---------------------------------------------------------------------------------

  !> A duplicate of a communicator, so that no message of a measurement matches a receive of the application.
  type :: sonde_group
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: init => group_init
    procedure :: free => group_free
    procedure :: rank => group_rank
    procedure :: size => group_size
  end type

  ! ---- Plans and patterns ------------------------------------------------------------------------------------------

  !> How to measure; equal on all ranks. The series ends when the first of `samples`, `relative_error` and `time_budget`
  !> says so; 0 leaves a rule out, and at least one is needed.
  type :: sonde_plan
    integer(int64) :: warmup = 10                 ! iterations before the first sample, or sonde_until_stable
    integer(int64) :: batch = 1                   ! iterations of a sample, or sonde_by_timer
    integer(int64) :: samples = 100               ! number of samples
    real(real64) :: relative_error = 0            ! 0.01: until half the interval of the median is 1 % of it
    real(real64) :: confidence = 0.95_real64      ! of that interval
    real(real64) :: time_budget = 0               ! seconds, from the first sample
    integer :: synchronize = sonde_barrier_once   ! before the samples
    integer :: keep = 0                           ! a sum of sonde_keep_..
  end type

  !> Warm-up until times are stable, a barrier before each sample, so that no rank runs ahead, batches as long as the
  !> clock needs, and samples until the median is known to 1 %, for at most a second.
  type(sonde_plan), parameter, public :: sonde_interactive = sonde_plan(warmup=sonde_until_stable, &
    batch=sonde_by_timer, samples=0, relative_error=0.01_real64, time_budget=1, &
    synchronize=sonde_dissemination)

  !> A parameter of a record, beside its name: a number, or a text if it has one that is not blank.
  type :: sonde_parameter
    character(:), allocatable :: name
    real(real64) :: number = 0
    character(:), allocatable :: text
  end type

  abstract interface
    !> An iteration. It must not stop, and must not leave requests active that only the next one completes, unless
    !> `complete` of the pattern does so at the end of a sample.
    subroutine sonde_exchange()
    end subroutine
    !> An iteration on the state of its pattern.
    subroutine sonde_exchange_with(state)
      class(*), intent(inout) :: state
    end subroutine
  end interface

  !> What is measured, on this rank. Either `exchange`, or `exchange_with` and its `state`.
  type :: sonde_pattern
    character(:), allocatable :: name
    procedure(sonde_exchange), pointer, nopass :: exchange => null()
    integer(int64) :: bytes = 0                   ! that this rank moves in an iteration
    integer(int64) :: messages = 0                ! that this rank sends in an iteration
    real(real64) :: hops = 1                      ! consecutive one-way trips: 2 for a round trip
    real(real64) :: bus_factor = 1                ! of a collective: bus bandwidth over bandwidth
    integer(int64) :: shared_by = 1               ! initiators that report the same bytes, as in a collective
    integer :: role = sonde_initiator             ! of this rank
    type(sonde_parameter), allocatable :: parameters(:)
    !> Waits for what iterations left pending, inside the sample; null: nothing to wait for.
    procedure(sonde_exchange), pointer, nopass :: complete => null()
    procedure(sonde_exchange_with), pointer, nopass :: exchange_with => null(), complete_with => null()
    class(*), pointer :: state => null()
    !> A variable that the exchange sets. A value other than 0 is a failure, which ends the measurement on all ranks
    !> after the current block of samples.
    integer, pointer :: ierror => null()
  end type

  ! ---- Results -----------------------------------------------------------------------------------------------------

  !> Result of a measurement: the times of the slowest rank, and what is known of the others. A procedure that gives a
  !> record frees the one that the variable had.
  type :: sonde_record
    private
    type(c_ptr) :: handle = c_null_ptr
    logical :: is_owner = .false. ! the records of a comparison are freed with it
  contains
    procedure :: summary => record_summary
    procedure :: median => record_median
    procedure :: percentile => record_percentile
    procedure :: series => record_series
    procedure :: rank_means => record_rank_means
    procedure :: rank_samples => record_rank_samples
    procedure :: text => record_text
    procedure :: free => record_free
  end type

  !> The figures of a record; of one iteration, on the slowest rank, unless said otherwise.
  type :: sonde_summary
    integer(int64) :: samples = 0, batch = 0 ! number of samples, iterations of a sample
    integer :: ranks = 0                     ! of the group
    integer :: initiators = 0                ! ranks whose times count; without any, all figures are 0
    real(real64) :: median = 0, low = 0, high = 0 ! with its confidence interval
    logical :: has_interval = .false.        ! false: too few samples for an interval; low and high are then 0
    real(real64) :: mean = 0, min = 0, max = 0, stddev = 0
    real(real64) :: rank_min = 0, rank_mean = 0, rank_max = 0 ! over ranks: smallest, mean, largest mean time of a rank
    real(real64) :: first = 0                ! the very first iteration; 0 for batches without a warm-up
    real(real64) :: latency = 0              ! median over hops
    real(real64) :: bandwidth = 0            ! bytes per second of all initiators, at the median
    real(real64) :: bus_bandwidth = 0        ! bytes per second
    real(real64) :: message_rate = 0         ! messages per second
    integer :: flags = 0                     ! warnings: a sum of values of sonde_flag
    character(20) :: stop_reason = ""        ! "samples", "precision", "time_budget", ..
  end type

  !> Result of a comparison. Alternatives are counted from 1, the base.
  type :: sonde_comparison
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: count => comparison_count
    procedure :: record => comparison_record
    procedure :: speedup => comparison_speedup
    procedure :: fastest => comparison_fastest
    procedure :: set_application => comparison_set_application
    procedure :: free => comparison_free
  end type

  type :: sonde_speedup
    real(real64) :: speedup = 0             ! time of the base over the time of the alternative
    real(real64) :: low = 0, high = 0       ! its confidence interval
    logical :: has_interval = .false.       ! false: too few rounds; low and high are then 0
    integer :: outcome = sonde_undecided
  end type

  !> A measurement whose loop is the caller's: `next` says how many samples to take, the caller takes their times, and
  !> `add` hands them over. The steps of the warm-up and of the choice of a batch come first.
  !>
  !>     do while (steps%next())
  !>       do i = 1, steps%samples
  !>         call steps%synchronize()
  !>         begin = sonde_now() ! nanoseconds
  !>         do k = 1, steps%batch
  !>           call exchange()
  !>         end do
  !>         call steps%add(begin, sonde_now())
  !>       end do
  !>     end do
  type :: sonde_steps
    integer(int64) :: samples = 0, batch = 0 ! samples to take before the next step, iterations of each
    type(c_ptr), private :: handle = c_null_ptr
  contains
    procedure :: init => steps_init
    procedure :: next => steps_next
    procedure :: synchronize => steps_synchronize
    procedure :: add => steps_add
    procedure :: fail => steps_fail
    procedure :: record => steps_record
    procedure :: free => steps_free
  end type

  ! ---- Probes and reports ------------------------------------------------------------------------------------------

  !> The named parts of an application, which can stay enabled in production; it communicates in `sonde_collect` and
  !> `sonde_collect_lateness` only.
  type :: sonde_probe
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: init => probe_init
    procedure, private :: probe_scope, probe_scope_int64, probe_exchange, probe_exchange_int64
    generic :: scope => probe_scope, probe_scope_int64
    procedure :: work => probe_work
    generic :: exchange => probe_exchange, probe_exchange_int64
    procedure :: free => probe_free
  end type

  type, bind(C) :: c_pass
    type(c_ptr) :: scope
    integer(c_int64_t) :: begin
  end type

  !> A part, and a pass through it; valid until its probe is freed. A scope of no probe ignores its passes.
  type :: sonde_scope
    private
    type(c_ptr) :: handle = c_null_ptr
    type(c_pass) :: pass = c_pass(c_null_ptr, 0)
  contains
    procedure :: enter => scope_enter
    procedure :: leave => scope_leave
  end type

  !> A file on each node with live figures of the scopes of its ranks, for the textfile collector of Prometheus' node
  !> exporter. A thread of each process writes it; ranks do not communicate, and no procedure is collective.
  type :: sonde_monitor
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: init => monitor_init
    procedure :: add => monitor_add
    procedure :: write => monitor_write
    procedure :: free => monitor_free
  end type

  !> The scopes of all ranks, counted from 1.
  type :: sonde_scopes
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: count => scopes_count
    procedure :: summary => scopes_summary
    procedure :: free => scopes_free
  end type

  !> A figure that a scope does not have is 0.
  type :: sonde_scope_summary
    character(:), allocatable :: name
    integer :: parent = 0          ! number of the enclosing scope, or 0
    integer :: ranks = 0           ! with at least one pass
    integer(int64) :: passes = 0   ! of all ranks
    real(real64) :: bytes = 0      ! moved by all passes of all ranks
    real(real64) :: median = 0     ! of all passes
    real(real64) :: total_min = 0, total_mean = 0, total_max = 0 ! total time of a rank, over the ranks with a pass
    integer :: slowest = 0         ! the first rank with the largest total
    integer :: slow_rank = -1      ! the rank whose passes usually take longest, or -1
    real(real64) :: share = 0      ! of the time in the enclosing scope
    real(real64) :: imbalance = 0  ! largest total over the mean total
    real(real64) :: bandwidth = 0  ! bytes per second of one rank
    integer :: kind = sonde_scope_part
  end type

  !> Who made ranks wait: waiting and transfer of a loop, and the ranks that made others wait.
  type :: sonde_lateness
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: summary => lateness_summary
    procedure :: text => lateness_text
    procedure :: free => lateness_free
  end type

  !> A rank that was late by an effect and more often than chance explains.
  type :: sonde_late_rank
    integer :: rank = 0
    real(real64) :: caused = 0             ! waiting of all ranks that it caused by what it did between exchanges
    real(real64) :: share = 0              ! of all waiting
    character(:), allocatable :: exchange  ! that it reached late
    real(real64) :: lateness = 0           ! median delay in its late steps
    integer(int64), allocatable :: steps(:) ! in which it was late: numbers of the passes of the exchange, from 0
    integer(int64) :: of_steps = 0         ! passes of the exchange that were examined
    character(:), allocatable :: work      ! the scope of work that made it late; empty for time outside of all
    real(real64) :: ratio = 0              ! of its time in the late steps to its usual one; 0 for time outside of all
    logical :: of_other_steps = .true.     ! usual is the rank's median in other steps, or else the other ranks' median
  end type

  !> Waiting and transfer of an exchange: times of all ranks.
  type :: sonde_exchange_lateness
    character(:), allocatable :: name
    integer(int64) :: passes = 0, unexamined = 0 ! of each rank: examined, and earlier ones
    real(real64) :: waiting = 0                  ! until the last partner of a rank has entered
    real(real64) :: transfer = 0                 ! the rest
    logical :: is_unequal = .false.              ! ranks passed it unequally often; if not, what follows is 0
    integer(int64) :: fewest = 0, most = 0       ! passes of a rank that has it, since its probe was made
    integer :: fewest_rank = 0, most_rank = 0
  end type

  type, bind(C) :: sonde_rank_lateness
    real(c_double) :: waiting = 0            ! of this rank
    real(c_double) :: caused_by_work = 0     ! waiting of all ranks because of what this rank did between exchanges
    real(c_double) :: caused_by_transfer = 0 ! waiting of all ranks because of this rank's transfers
  end type

  !> Ranks on which an exchange takes long after all partners have entered.
  type :: sonde_slow_transfer
    character(:), allocatable :: exchange
    integer, allocatable :: ranks(:)
    real(real64) :: ratio = 0  ! of the smallest of their medians to the median of the other ranks
    real(real64) :: caused = 0 ! waiting of other ranks for these ranks' transfers
  end type

  !> Steps that stand out in the times of a scope of work, or in the transfers of an exchange, on the median rank.
  type :: sonde_scope_effect
    character(:), allocatable :: scope      ! of work, or the exchange
    character(:), allocatable :: kind       ! "period", "burst", "change_point" or "drift"
    integer(int64), allocatable :: steps(:) ! numbers of the passes of an exchange, from 0; from a change point on
    integer(int64) :: of_steps = 0          ! of the series
    integer(int64) :: period = 1            ! distance of the steps
    real(real64) :: typical = 0             ! median time of the other steps, before a change point, at a drift's start
    real(real64) :: excess = 0              ! of its steps above that; of a drift, of the last step
    real(real64) :: p = 0                   ! bound of the probability that a healthy series shows such an effect
  end type

  !> The figures of who made ranks wait.
  type :: sonde_loop_summary
    integer(int64) :: steps = 0              ! passes of exchanges that were examined
    logical :: enough_steps = .false.        ! to name ranks
    real(real64) :: waiting = 0, transfer = 0 ! shares of the ranks' time in these steps
    real(real64) :: low = 0, high = 0        ! 95 % interval of the share of waiting
    logical :: has_interval = .false.        ! false: too few steps for an interval; low and high are then 0
    real(real64) :: observed = 0             ! time of these steps, of all ranks
    real(real64) :: clock_error = 0          ! of a difference of two ranks' times; shorter waits count as transfer
    type(sonde_late_rank), allocatable :: late(:) ! those who caused most first
    type(sonde_exchange_lateness), allocatable :: exchanges(:)
    type(sonde_rank_lateness), allocatable :: ranks(:) ! by MPI's rank, from 0
    type(sonde_slow_transfer), allocatable :: slow_transfers(:)
    type(sonde_scope_effect), allocatable :: effects(:)
  end type

  !> Writes records, comparisons, scopes and who made ranks wait, on rank 0.
  type :: sonde_reporter
    private
    type(c_ptr) :: handle = c_null_ptr
    logical :: is_on_output = .false. ! what the program has written to output_unit comes before the next table
  contains
    procedure :: init => reporter_init
    procedure, private :: report_record, report_comparison, report_scopes, report_lateness
    generic :: report => report_record, report_comparison, report_scopes, report_lateness
    procedure :: close => reporter_close
  end type

  !> Measure an exchange, a procedure or a pattern. Collective over the group; the record is equal on all ranks.
  interface sonde_run
    procedure run_exchange, run_exchange_int64, run_pattern
  end interface

  ! ---- The C interface ---------------------------------------------------------------------------------------------

  type, bind(C) :: c_error
    integer(c_int) :: status, code
    character(kind=c_char) :: message(1016)
  end type

  type, bind(C) :: c_plan
    integer(c_size_t) :: size
    integer(c_int64_t) :: warmup, batch, samples
    real(c_double) :: relative_error, confidence, time_budget
    integer(c_int) :: synchronize, keep
  end type

  type, bind(C) :: c_parameter
    type(c_ptr) :: name, text
    real(c_double) :: number
  end type

  type, bind(C) :: c_pattern
    integer(c_size_t) :: size
    type(c_ptr) :: name
    type(c_funptr) :: iterate
    type(c_ptr) :: state
    type(c_funptr) :: complete
    integer(c_int) :: role
    integer(c_size_t) :: bytes, messages
    real(c_double) :: hops, bus_factor
    integer(c_size_t) :: shared_by
    type(c_ptr) :: parameters
    integer(c_size_t) :: parameter_count
  end type

  type, bind(C) :: c_step
    integer(c_size_t) :: samples, batch
  end type

  type, bind(C) :: c_summary
    integer(c_size_t) :: size, samples, batch
    integer(c_int) :: ranks, initiators
    real(c_double) :: median, low, high
    integer(c_int) :: has_interval
    real(c_double) :: mean, min, max, stddev, rank_min, rank_mean, rank_max, first
    real(c_double) :: latency, bandwidth, bus_bandwidth, message_rate
    integer(c_int) :: flags
    character(kind=c_char) :: stop_reason(20)
  end type

  type, bind(C) :: c_speedup
    integer(c_size_t) :: size
    real(c_double) :: speedup, low, high
    integer(c_int) :: has_interval, outcome
  end type

  type, bind(C) :: c_scope_summary
    integer(c_size_t) :: size
    type(c_ptr) :: name
    integer(c_int64_t) :: parent
    integer(c_int) :: ranks
    integer(c_int64_t) :: passes
    real(c_double) :: bytes, median, total_min, total_mean, total_max
    integer(c_int) :: slowest, slow_rank
    real(c_double) :: share, imbalance, bandwidth
    integer(c_int) :: kind
  end type

  type, bind(C) :: c_late_rank
    integer(c_int) :: rank
    real(c_double) :: caused, share
    type(c_ptr) :: exchange
    real(c_double) :: lateness
    type(c_ptr) :: steps
    integer(c_size_t) :: step_count, of_steps
    type(c_ptr) :: work
    real(c_double) :: ratio
    integer(c_int) :: of_other_steps
  end type

  type, bind(C) :: c_exchange_lateness
    type(c_ptr) :: name
    integer(c_size_t) :: passes, unexamined
    real(c_double) :: waiting, transfer
    integer(c_int) :: is_unequal
    integer(c_size_t) :: fewest, most
    integer(c_int) :: fewest_rank, most_rank
  end type

  type, bind(C) :: c_scope_effect
    type(c_ptr) :: scope
    integer(c_int) :: kind
    type(c_ptr) :: steps
    integer(c_size_t) :: step_count, of_steps, period
    real(c_double) :: typical, excess, p
  end type

  type, bind(C) :: c_lateness_options
    integer(c_size_t) :: size
    real(c_double) :: effect = 0.05_c_double, false_alarms = 0.01_c_double
  end type

  type, bind(C) :: c_slow_transfer
    type(c_ptr) :: exchange, ranks
    integer(c_size_t) :: rank_count
    real(c_double) :: ratio, caused
  end type

  type, bind(C) :: c_loop_summary
    integer(c_size_t) :: size, steps
    integer(c_int) :: enough_steps
    real(c_double) :: waiting, transfer, low, high
    integer(c_int) :: has_interval
    real(c_double) :: observed, clock_error
    type(c_ptr) :: late
    integer(c_size_t) :: late_count
    type(c_ptr) :: exchanges
    integer(c_size_t) :: exchange_count
    type(c_ptr) :: ranks
    integer(c_size_t) :: rank_count
    type(c_ptr) :: slow_transfers
    integer(c_size_t) :: slow_transfer_count
    type(c_ptr) :: effects
    integer(c_size_t) :: effect_count
  end type

  interface
    type(c_ptr) function c_version() bind(C, name="sonde_version")
      import
    end function
    integer(c_int) function c_flag(name) bind(C, name="sonde_flag")
      import
      character(kind=c_char), intent(in) :: name(*)
    end function
    type(c_ptr) function c_flag_name(i) bind(C, name="sonde_flag_name")
      import
      integer(c_int), value :: i
    end function
    !> The reading of the clock of all measurements, in nanoseconds since its epoch.
    integer(c_int64_t) function sonde_now() bind(C, name="sonde_now")
      import
    end function

    integer(c_int) function c_group_create(comm, group, error) bind(C, name="sonde_group_create_f")
      import
      integer(c_int), value :: comm
      type(c_ptr), intent(inout) :: group
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_group_free(group, error) bind(C, name="sonde_group_free")
      import
      type(c_ptr), intent(inout) :: group
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_group_rank(group) bind(C, name="sonde_group_rank")
      import
      type(c_ptr), value :: group
    end function
    integer(c_int) function c_group_size(group) bind(C, name="sonde_group_size")
      import
      type(c_ptr), value :: group
    end function

    integer(c_int) function c_run(group, plan, pattern, record, error) bind(C, name="sonde_run")
      import
      type(c_ptr), value :: group
      type(c_plan), intent(in) :: plan
      type(c_pattern), intent(in) :: pattern
      type(c_ptr), intent(inout) :: record
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_compare(group, plan, patterns, count, comparison, error) bind(C, name="sonde_compare")
      import
      type(c_ptr), value :: group
      type(c_plan), intent(in) :: plan
      type(c_pattern), intent(in) :: patterns(*)
      integer(c_size_t), value :: count
      type(c_ptr), intent(inout) :: comparison
      type(c_error), intent(inout) :: error
    end function

    integer(c_int) function c_steps_begin(group, plan, pattern, steps, error) bind(C, name="sonde_steps_begin")
      import
      type(c_ptr), value :: group
      type(c_plan), intent(in) :: plan
      type(c_pattern), intent(in) :: pattern
      type(c_ptr), intent(inout) :: steps
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_steps_next(steps, step, error) bind(C, name="sonde_steps_next")
      import
      type(c_ptr), value :: steps
      type(c_step), intent(inout) :: step
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_steps_synchronize(steps, error) bind(C, name="sonde_steps_synchronize")
      import
      type(c_ptr), value :: steps
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_steps_add(steps, begin, end, error) bind(C, name="sonde_steps_add")
      import
      type(c_ptr), value :: steps
      integer(c_int64_t), value :: begin, end
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_steps_fail(steps, code, error) bind(C, name="sonde_steps_fail")
      import
      type(c_ptr), value :: steps
      integer(c_int), value :: code
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_steps_record(steps, record, error) bind(C, name="sonde_steps_record")
      import
      type(c_ptr), value :: steps
      type(c_ptr), intent(inout) :: record
      type(c_error), intent(inout) :: error
    end function
    subroutine c_steps_free(steps) bind(C, name="sonde_steps_free")
      import
      type(c_ptr), intent(inout) :: steps
    end subroutine

    integer(c_int) function c_record_summary(record, summary, error) bind(C, name="sonde_record_summary")
      import
      type(c_ptr), value :: record
      type(c_summary), intent(inout) :: summary
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_record_percentile(record, q, time, error) bind(C, name="sonde_record_percentile")
      import
      type(c_ptr), value :: record
      real(c_double), value :: q
      real(c_double), intent(inout) :: time
      type(c_error), intent(inout) :: error
    end function
    integer(c_size_t) function c_record_series(record, times) bind(C, name="sonde_record_series")
      import
      type(c_ptr), value :: record
      type(c_ptr), intent(inout) :: times
    end function
    integer(c_size_t) function c_record_rank_means(record, times) bind(C, name="sonde_record_rank_means")
      import
      type(c_ptr), value :: record
      type(c_ptr), intent(inout) :: times
    end function
    integer(c_size_t) function c_record_rank_samples(record, rank, times) bind(C, name="sonde_record_rank_samples")
      import
      type(c_ptr), value :: record
      integer(c_int), value :: rank
      type(c_ptr), intent(inout) :: times
    end function
    integer(c_size_t) function c_record_text(record, text, size) bind(C, name="sonde_record_text")
      import
      type(c_ptr), value :: record
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), value :: size
    end function
    subroutine c_record_free(record) bind(C, name="sonde_record_free")
      import
      type(c_ptr), intent(inout) :: record
    end subroutine

    integer(c_size_t) function c_comparison_count(comparison) bind(C, name="sonde_comparison_count")
      import
      type(c_ptr), value :: comparison
    end function
    type(c_ptr) function c_comparison_record(comparison, alternative) bind(C, name="sonde_comparison_record")
      import
      type(c_ptr), value :: comparison
      integer(c_size_t), value :: alternative
    end function
    integer(c_int) function c_comparison_speedup(comparison, alternative, gain, confidence, speedup, error) &
      bind(C, name="sonde_comparison_speedup")
      import
      type(c_ptr), value :: comparison
      integer(c_size_t), value :: alternative
      real(c_double), value :: gain, confidence
      type(c_speedup), intent(inout) :: speedup
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_comparison_fastest(comparison, gain, confidence, alternative, error) &
      bind(C, name="sonde_comparison_fastest")
      import
      type(c_ptr), value :: comparison
      real(c_double), value :: gain, confidence
      integer(c_size_t), intent(inout) :: alternative
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_comparison_set_application(comparison, scope, transfer, waiting, loop, error) &
      bind(C, name="sonde_comparison_set_application")
      import
      type(c_ptr), value :: comparison
      character(kind=c_char), intent(in) :: scope(*)
      real(c_double), value :: transfer, waiting, loop
      type(c_error), intent(inout) :: error
    end function
    subroutine c_comparison_free(comparison) bind(C, name="sonde_comparison_free")
      import
      type(c_ptr), intent(inout) :: comparison
    end subroutine

    integer(c_int) function c_probe_create(kept_passes, probe, error) bind(C, name="sonde_probe_create")
      import
      integer(c_size_t), value :: kept_passes
      type(c_ptr), intent(inout) :: probe
      type(c_error), intent(inout) :: error
    end function
    subroutine c_probe_free(probe) bind(C, name="sonde_probe_free")
      import
      type(c_ptr), intent(inout) :: probe
    end subroutine
    integer(c_int) function c_probe_scope(probe, parent, name, bytes, scope, error) bind(C, name="sonde_probe_scope")
      import
      type(c_ptr), value :: probe, parent
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(inout) :: scope
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_probe_work(probe, parent, name, scope, error) bind(C, name="sonde_probe_work")
      import
      type(c_ptr), value :: probe, parent
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: scope
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_probe_exchange(probe, parent, name, bytes, partners, partner_count, scope, error) &
      bind(C, name="sonde_probe_exchange")
      import
      type(c_ptr), value :: probe, parent
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: bytes, partner_count
      integer(c_int), intent(in) :: partners(*)
      type(c_ptr), intent(inout) :: scope
      type(c_error), intent(inout) :: error
    end function
    subroutine c_scope_begin(scope, pass) bind(C, name="sonde_scope_begin")
      import
      type(c_ptr), value :: scope
      type(c_pass), intent(inout) :: pass
    end subroutine
    subroutine c_scope_leave(pass) bind(C, name="sonde_scope_leave")
      import
      type(c_pass), intent(inout) :: pass
    end subroutine

    integer(c_int) function c_monitor_create(group, path, interval, monitor, error) bind(C, name="sonde_monitor_create")
      import
      type(c_ptr), value :: group
      character(kind=c_char), intent(in) :: path(*)
      real(c_double), value :: interval
      type(c_ptr), intent(inout) :: monitor
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_monitor_add(monitor, probe, error) bind(C, name="sonde_monitor_add")
      import
      type(c_ptr), value :: monitor, probe
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_monitor_write(monitor, written, error) bind(C, name="sonde_monitor_write")
      import
      type(c_ptr), value :: monitor
      integer(c_int), intent(inout) :: written
      type(c_error), intent(inout) :: error
    end function
    subroutine c_monitor_free(monitor) bind(C, name="sonde_monitor_free")
      import
      type(c_ptr), intent(inout) :: monitor
    end subroutine

    integer(c_int) function c_collect(group, probe, scopes, error) bind(C, name="sonde_collect")
      import
      type(c_ptr), value :: group, probe
      type(c_ptr), intent(inout) :: scopes
      type(c_error), intent(inout) :: error
    end function
    integer(c_size_t) function c_scopes_count(scopes) bind(C, name="sonde_scopes_count")
      import
      type(c_ptr), value :: scopes
    end function
    integer(c_int) function c_scopes_summary(scopes, index, summary, error) bind(C, name="sonde_scopes_summary")
      import
      type(c_ptr), value :: scopes
      integer(c_size_t), value :: index
      type(c_scope_summary), intent(inout) :: summary
      type(c_error), intent(inout) :: error
    end function
    subroutine c_scopes_free(scopes) bind(C, name="sonde_scopes_free")
      import
      type(c_ptr), intent(inout) :: scopes
    end subroutine

    integer(c_int) function c_collect_lateness(group, probe, options, lateness, error) &
      bind(C, name="sonde_collect_lateness")
      import
      type(c_ptr), value :: group, probe
      type(c_lateness_options), intent(in) :: options
      type(c_ptr), intent(inout) :: lateness
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_lateness_summary(lateness, summary, error) bind(C, name="sonde_lateness_summary")
      import
      type(c_ptr), value :: lateness
      type(c_loop_summary), intent(inout) :: summary
      type(c_error), intent(inout) :: error
    end function
    integer(c_size_t) function c_lateness_text(lateness, text, size) bind(C, name="sonde_lateness_text")
      import
      type(c_ptr), value :: lateness
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), value :: size
    end function
    subroutine c_lateness_free(lateness) bind(C, name="sonde_lateness_free")
      import
      type(c_ptr), intent(inout) :: lateness
    end subroutine

    integer(c_int) function c_reporter_create(group, file, reporter, error) bind(C, name="sonde_reporter_create")
      import
      type(c_ptr), value :: group, file
      type(c_ptr), intent(inout) :: reporter
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_report(reporter, record, error) bind(C, name="sonde_report")
      import
      type(c_ptr), value :: reporter, record
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_report_comparison(reporter, comparison, gain, confidence, error) &
      bind(C, name="sonde_report_comparison")
      import
      type(c_ptr), value :: reporter, comparison
      real(c_double), value :: gain, confidence
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_report_scopes(reporter, scopes, error) bind(C, name="sonde_report_scopes")
      import
      type(c_ptr), value :: reporter, scopes
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_report_lateness(reporter, lateness, error) bind(C, name="sonde_report_lateness")
      import
      type(c_ptr), value :: reporter, lateness
      type(c_error), intent(inout) :: error
    end function
    integer(c_int) function c_reporter_close(reporter, error) bind(C, name="sonde_reporter_close")
      import
      type(c_ptr), intent(inout) :: reporter
      type(c_error), intent(inout) :: error
    end function

    integer(c_size_t) function c_write(file, text, size) bind(C, name="write")
      import
      integer(c_int), value :: file
      character(kind=c_char), intent(in) :: text(*)
      integer(c_size_t), value :: size
    end function
    integer(c_size_t) function c_strlen(text) bind(C, name="strlen")
      import
      type(c_ptr), value :: text
    end function
  end interface

  type :: told_text
    character(kind=c_char), allocatable :: chars(:)
  end type

  !> A pattern, and the texts and arrays to which its C struct refers.
  type :: told_pattern
    type(sonde_pattern) :: pattern
    type(told_text) :: name
    type(told_text), allocatable :: parameter_names(:), parameter_texts(:)
    type(c_parameter), allocatable :: parameters(:)
  end type

contains

  ! ---- Errors and texts --------------------------------------------------------------------------------------------

  !> The end of a procedure that can fail.
  subroutine finish(status, error, procedure_name, stat, errmsg)
    integer(c_int), intent(in) :: status
    type(c_error), intent(in) :: error
    character(*), intent(in) :: procedure_name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (present(stat)) stat = status
    if (status == sonde_success) return
    if (present(stat)) then
      if (present(errmsg)) errmsg = text_of(error%message)
      return
    end if
    ! Not by a statement of Fortran: a function that fails within `print` would wait for the unit that `print` holds.
    associate (line => procedure_name // ": " // text_of(error%message) // new_line("a"))
      if (c_write(2_c_int, line, len(line, c_size_t)) == len(line)) continue
    end associate
    error stop 1
  end subroutine

  !> An error that is known before the C interface is called.
  pure function error_of(status, message)
    integer, intent(in) :: status
    character(*), intent(in) :: message
    type(c_error) :: error_of

    error_of%status = status
    error_of%code = 0
    error_of%message = c_null_char
    associate (n => min(len_trim(message), size(error_of%message) - 1))
      error_of%message(:n + 1) = c_text(message(:n))
    end associate
  end function

  !> The error that the C interface found, or the cause that only this module can name.
  function own_fault(error, fault)
    type(c_error), intent(in) :: error
    character(*), intent(in) :: fault
    type(c_error) :: own_fault

    own_fault = error
    if (fault /= "") own_fault = error_of(sonde_invalid_argument, fault)
  end function

  !> What is wrong with a number of 1 to `count`, or an empty text. Without any object C describes the mistake.
  function fault_of_number(object, number, count)
    character(*), intent(in) :: object
    integer, intent(in) :: number, count
    character(:), allocatable :: fault_of_number
    character(12) :: digits

    fault_of_number = ""
    if (number >= 1 .and. number <= count .or. count == 0) return
    write (digits, "(i0)") number
    fault_of_number = "sonde: there is no " // object // " " // trim(digits)
  end function

  !> A text with a null character at its end, without trailing blanks.
  pure function c_text(text)
    character(*), intent(in) :: text
    character(kind=c_char) :: c_text(len_trim(text) + 1)
    integer :: i

    do i = 1, len_trim(text)
      c_text(i) = text(i:i)
    end do
    c_text(size(c_text)) = c_null_char
  end function

  !> The characters before the null character.
  pure function text_of(chars)
    character(kind=c_char), intent(in) :: chars(:)
    character(:), allocatable :: text_of
    integer :: i, length

    length = 0
    do while (length < size(chars))
      if (chars(length + 1) == c_null_char) exit
      length = length + 1
    end do
    allocate (character(length) :: text_of)
    do i = 1, length
      text_of(i:i) = chars(i)
    end do
  end function

  function text_at(address)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text_at
    character(kind=c_char), pointer :: chars(:)

    call c_f_pointer(address, chars, [c_strlen(address)])
    text_at = text_of(chars)
  end function

  !> Version of the library, such as "0.1.0".
  function sonde_version()
    character(:), allocatable :: sonde_version

    sonde_version = text_at(c_version())
  end function

  !> Value of a flag in `flags`: iand(summary%flags, sonde_flag("timer_limited")) /= 0. 0 if no flag has this name.
  integer function sonde_flag(name)
    character(*), intent(in) :: name

    sonde_flag = int(c_flag(c_text(name)))
  end function

  !> Name of flag i, whose value is 2**(i - 1); empty if there is no such flag.
  function sonde_flag_name(i) result(name)
    integer, intent(in) :: i
    character(:), allocatable :: name
    type(c_ptr) :: found

    name = ""
    found = c_flag_name(int(i - 1, c_int))
    if (c_associated(found)) name = text_at(found)
  end function

  ! ---- Groups ------------------------------------------------------------------------------------------------------

  !> Collective over the communicator: its integer handle, `comm%mpi_val` of mpi_f08.
  subroutine group_init(self, comm, stat, errmsg)
    class(sonde_group), intent(inout) :: self
    integer, intent(in) :: comm
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    integer(c_int) :: status

    if (c_associated(self%handle)) then
      status = sonde_invalid_state
      error = error_of(sonde_invalid_state, "sonde: the group has a communicator: free it before")
    else
      status = c_group_create(int(comm, c_int), self%handle, error)
    end if
    call finish(status, error, "group%init", stat, errmsg)
  end subroutine

  !> Collective over the group, before MPI_Finalize.
  subroutine group_free(self, stat, errmsg)
    class(sonde_group), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    call finish(c_group_free(self%handle, error), error, "group%free", stat, errmsg)
  end subroutine

  !> -1 without a communicator.
  integer function group_rank(self)
    class(sonde_group), intent(in) :: self

    group_rank = c_group_rank(self%handle)
  end function

  !> 0 without a communicator.
  integer function group_size(self)
    class(sonde_group), intent(in) :: self

    group_size = c_group_size(self%handle)
  end function

  ! ---- Measurements ------------------------------------------------------------------------------------------------

  ! The functions that C calls. Their state is a pattern.
  integer(c_int) function call_exchange(state) bind(C, name="")
    type(c_ptr), value :: state
    type(sonde_pattern), pointer :: pattern

    call c_f_pointer(state, pattern)
    call pattern%exchange()
    call_exchange = code_of(pattern)
  end function

  integer(c_int) function call_complete(state) bind(C, name="")
    type(c_ptr), value :: state
    type(sonde_pattern), pointer :: pattern

    call c_f_pointer(state, pattern)
    call pattern%complete()
    call_complete = code_of(pattern)
  end function

  integer(c_int) function call_exchange_with(state) bind(C, name="")
    type(c_ptr), value :: state
    type(sonde_pattern), pointer :: pattern

    call c_f_pointer(state, pattern)
    call pattern%exchange_with(pattern%state)
    call_exchange_with = code_of(pattern)
  end function

  integer(c_int) function call_complete_with(state) bind(C, name="")
    type(c_ptr), value :: state
    type(sonde_pattern), pointer :: pattern

    call c_f_pointer(state, pattern)
    call pattern%complete_with(pattern%state)
    call_complete_with = code_of(pattern)
  end function

  integer(c_int) function code_of(pattern)
    type(sonde_pattern), intent(in) :: pattern

    code_of = 0
    if (associated(pattern%ierror)) code_of = pattern%ierror
  end function

  function c_plan_of(plan)
    type(sonde_plan), intent(in) :: plan
    type(c_plan) :: c_plan_of

    c_plan_of = c_plan(c_sizeof(c_plan_of), plan%warmup, plan%batch, plan%samples, plan%relative_error, &
      plan%confidence, plan%time_budget, plan%synchronize, plan%keep)
  end function

  !> The pattern in C, which refers to `told`.
  function c_pattern_of(pattern, told)
    type(sonde_pattern), intent(in) :: pattern
    type(told_pattern), intent(out), target :: told
    type(c_pattern) :: c_pattern_of

    told%pattern = pattern
    call tell(pattern%name, told%name)
    c_pattern_of = c_pattern(c_sizeof(c_pattern_of), c_loc(told%name%chars), c_null_funptr, c_loc(told%pattern), &
      c_null_funptr, pattern%role, pattern%bytes, pattern%messages, pattern%hops, pattern%bus_factor, &
      pattern%shared_by, c_null_ptr, 0)
    if (associated(pattern%exchange)) c_pattern_of%iterate = c_funloc(call_exchange)
    if (associated(pattern%complete)) c_pattern_of%complete = c_funloc(call_complete)
    if (associated(pattern%state)) then
      if (associated(pattern%exchange_with)) c_pattern_of%iterate = c_funloc(call_exchange_with)
      if (associated(pattern%complete_with)) c_pattern_of%complete = c_funloc(call_complete_with)
    end if
    if (associated(pattern%ierror)) pattern%ierror = 0
    if (.not. allocated(pattern%parameters)) return
    call tell_parameters(pattern%parameters, told)
    c_pattern_of%parameters = c_loc(told%parameters)
    c_pattern_of%parameter_count = size(told%parameters)
  end function

  subroutine tell_parameters(parameters, told)
    type(sonde_parameter), intent(in) :: parameters(:)
    type(told_pattern), intent(inout), target :: told
    integer :: i

    allocate (told%parameters(size(parameters)), told%parameter_names(size(parameters)), &
      told%parameter_texts(size(parameters)))
    do i = 1, size(parameters)
      call tell(parameters(i)%name, told%parameter_names(i))
      call tell(parameters(i)%text, told%parameter_texts(i))
      told%parameters(i) = c_parameter(c_loc(told%parameter_names(i)%chars), c_null_ptr, parameters(i)%number)
      if (size(told%parameter_texts(i)%chars) > 1) told%parameters(i)%text = c_loc(told%parameter_texts(i)%chars)
    end do
  end subroutine

  !> A text, which may be unallocated, in C.
  subroutine tell(text, told)
    character(:), allocatable, intent(in) :: text
    type(told_text), intent(inout), target :: told

    told%chars = c_text("")
    if (allocated(text)) told%chars = c_text(text)
  end subroutine

  !> The name of a pattern in a message, if it has one.
  function of_name(pattern)
    type(sonde_pattern), intent(in) :: pattern
    character(:), allocatable :: of_name

    of_name = ""
    if (.not. allocated(pattern%name)) return
    if (pattern%name /= "") of_name = " of " // trim(pattern%name)
    if (len(of_name) > 104) of_name = of_name(:101) // "..."
  end function

  !> What is wrong with a pattern that is to be called, in the words of this module, or an empty text.
  function fault_of(pattern) result(fault)
    type(sonde_pattern), intent(in) :: pattern
    character(:), allocatable :: fault

    fault = ""
    if (pattern%role == sonde_idle) return
    if (associated(pattern%exchange) .or. associated(pattern%exchange_with) .and. associated(pattern%state)) return
    fault = "sonde: the procedure" // of_name(pattern) // " is null"
    if (associated(pattern%exchange_with)) fault = "sonde: the state" // of_name(pattern) // " is null"
  end function

  subroutine run_exchange(group, plan, exchange, record, name, bytes, hops, ierror, stat, errmsg)
    type(sonde_group), intent(in) :: group
    type(sonde_plan), intent(in) :: plan
    procedure(sonde_exchange), optional :: exchange ! so that a null pointer is an error that can be reported
    type(sonde_record), intent(inout) :: record
    character(*), intent(in), optional :: name
    integer, intent(in), optional :: bytes, hops
    integer, pointer, intent(in), optional :: ierror
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: moved

    moved = 0
    if (present(bytes)) moved = bytes
    call run_exchange_int64(group, plan, exchange, record, name, moved, hops, ierror, stat, errmsg)
  end subroutine

  !> The same for bytes that a default integer does not hold.
  subroutine run_exchange_int64(group, plan, exchange, record, name, bytes, hops, ierror, stat, errmsg)
    type(sonde_group), intent(in) :: group
    type(sonde_plan), intent(in) :: plan
    procedure(sonde_exchange), optional :: exchange
    type(sonde_record), intent(inout) :: record
    character(*), intent(in), optional :: name
    integer(int64), intent(in) :: bytes
    integer, intent(in), optional :: hops
    integer, pointer, intent(in), optional :: ierror
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_pattern) :: pattern

    if (present(exchange)) pattern%exchange => exchange
    if (present(name)) pattern%name = name
    pattern%bytes = bytes
    if (present(hops)) pattern%hops = hops
    if (present(ierror)) pattern%ierror => ierror
    call run_pattern(group, plan, pattern, record, stat, errmsg)
  end subroutine

  subroutine run_pattern(group, plan, pattern, record, stat, errmsg)
    type(sonde_group), intent(in) :: group
    type(sonde_plan), intent(in) :: plan
    type(sonde_pattern), intent(in) :: pattern
    type(sonde_record), intent(inout) :: record
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(told_pattern), target :: told
    type(c_error) :: error
    type(c_ptr) :: handle
    integer(c_int) :: status

    handle = c_null_ptr
    status = c_run(group%handle, c_plan_of(plan), c_pattern_of(pattern, told), handle, error)
    if (status == sonde_success) call take_record(record, handle)
    call finish(status, own_fault(error, fault_of(pattern)), "sonde_run", stat, errmsg)
  end subroutine

  !> Measure patterns against each other, in turns; the first is the base. Collective over the group.
  subroutine sonde_compare(group, plan, patterns, comparison, stat, errmsg)
    type(sonde_group), intent(in) :: group
    type(sonde_plan), intent(in) :: plan
    type(sonde_pattern), intent(in) :: patterns(:)
    type(sonde_comparison), intent(inout) :: comparison
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(told_pattern), allocatable, target :: told(:)
    type(c_pattern), allocatable :: c_patterns(:)
    character(:), allocatable :: fault
    type(c_error) :: error
    type(c_ptr) :: handle
    integer(c_int) :: status
    integer :: i

    allocate (told(size(patterns)), c_patterns(size(patterns)))
    fault = ""
    do i = 1, size(patterns)
      c_patterns(i) = c_pattern_of(patterns(i), told(i))
      if (fault == "") fault = fault_of(patterns(i))
    end do
    handle = c_null_ptr
    status = c_compare(group%handle, c_plan_of(plan), c_patterns, size(patterns, kind=c_size_t), handle, error)
    if (status == sonde_success) then
      call comparison%free()
      comparison%handle = handle
    end if
    call finish(status, own_fault(error, fault), "sonde_compare", stat, errmsg)
  end subroutine

  ! ---- Measurements whose loop is the caller's ---------------------------------------------------------------------

  !> Begin a measurement. The procedures of the pattern are not called. The steps are freed with their group, or before
  !> it. Collective over the group.
  subroutine steps_init(self, group, plan, pattern, stat, errmsg)
    class(sonde_steps), intent(inout) :: self
    type(sonde_group), intent(in) :: group
    type(sonde_plan), intent(in) :: plan
    type(sonde_pattern), intent(in) :: pattern
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(told_pattern), target :: told
    type(c_error) :: error
    type(c_ptr) :: handle
    integer(c_int) :: status

    handle = c_null_ptr
    status = c_steps_begin(group%handle, c_plan_of(plan), c_pattern_of(pattern, told), handle, error)
    if (status == sonde_success) then
      call self%free()
      self%handle = handle
    end if
    call finish(status, error, "steps%init", stat, errmsg)
  end subroutine

  !> Prepare the next step. False if the measurement is complete, or if it failed, on all ranks alike. Collective over the
  !> group.
  logical function steps_next(self, stat, errmsg)
    class(sonde_steps), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_step) :: step
    type(c_error) :: error
    integer(c_int) :: status

    step = c_step(0, 0)
    status = c_steps_next(self%handle, step, error)
    self%samples = step%samples
    self%batch = step%batch
    steps_next = self%samples /= 0
    call finish(status, error, "steps%next", stat, errmsg)
  end function

  !> Synchronize the ranks as the plan says, before each sample. Collective over the group.
  subroutine steps_synchronize(self, stat, errmsg)
    class(sonde_steps), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    call finish(c_steps_synchronize(self%handle, error), error, "steps%synchronize", stat, errmsg)
  end subroutine

  !> Add a sample: the readings of `sonde_now` at the begin and at the end of its batch.
  subroutine steps_add(self, begin, end, stat, errmsg)
    class(sonde_steps), intent(in) :: self
    integer(int64), intent(in) :: begin, end
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    call finish(c_steps_add(self%handle, begin, end, error), error, "steps%add", stat, errmsg)
  end subroutine

  !> Fail: the next `next` fails on all ranks. The samples of the step must still be added.
  subroutine steps_fail(self, code, stat, errmsg)
    class(sonde_steps), intent(in) :: self
    integer, intent(in) :: code
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    call finish(c_steps_fail(self%handle, int(code, c_int), error), error, "steps%fail", stat, errmsg)
  end subroutine

  !> The record of a complete measurement. Collective over the group.
  subroutine steps_record(self, record, stat, errmsg)
    class(sonde_steps), intent(in) :: self
    type(sonde_record), intent(inout) :: record
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    type(c_ptr) :: handle
    integer(c_int) :: status

    handle = c_null_ptr
    status = c_steps_record(self%handle, handle, error)
    if (status == sonde_success) call take_record(record, handle)
    call finish(status, error, "steps%record", stat, errmsg)
  end subroutine

  !> Free the steps, complete or not.
  subroutine steps_free(self)
    class(sonde_steps), intent(inout) :: self

    call c_steps_free(self%handle)
  end subroutine

  ! ---- Records -----------------------------------------------------------------------------------------------------

  subroutine take_record(record, handle)
    type(sonde_record), intent(inout) :: record
    type(c_ptr), intent(in) :: handle

    call record%free()
    record%handle = handle
    record%is_owner = .true.
  end subroutine

  function record_summary(self, stat, errmsg) result(summary)
    class(sonde_record), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_summary) :: summary
    type(c_summary) :: s
    type(c_error) :: error
    integer(c_int) :: status

    s%size = c_sizeof(s)
    status = c_record_summary(self%handle, s, error)
    if (status == sonde_success) then
      summary = sonde_summary(s%samples, s%batch, s%ranks, s%initiators, s%median, s%low, s%high, &
        s%has_interval /= 0, s%mean, s%min, s%max, s%stddev, s%rank_min, s%rank_mean, s%rank_max, s%first, &
        s%latency, s%bandwidth, s%bus_bandwidth, s%message_rate, s%flags, text_of(s%stop_reason))
    end if
    call finish(status, error, "record%summary", stat, errmsg)
  end function

  real(real64) function record_median(self, stat, errmsg) result(median)
    class(sonde_record), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_summary) :: summary

    summary = self%summary(stat, errmsg)
    median = summary%median
  end function

  !> The 100 q-th percentile, 0 < q < 1. Too few samples for it are `sonde_invalid_state`.
  real(real64) function record_percentile(self, q, stat, errmsg) result(time)
    class(sonde_record), intent(in) :: self
    real(real64), intent(in) :: q
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    time = 0
    call finish(c_record_percentile(self%handle, q, time, error), error, "record%percentile", stat, errmsg)
  end function

  !> The times of the samples.
  function record_series(self) result(times)
    class(sonde_record), intent(in) :: self
    real(real64), allocatable :: times(:)
    type(c_ptr) :: address
    integer(c_size_t) :: n

    address = c_null_ptr
    n = c_record_series(self%handle, address)
    times = times_at(address, n)
  end function

  !> One mean time per rank (sonde_keep_rank_means); otherwise none.
  function record_rank_means(self) result(times)
    class(sonde_record), intent(in) :: self
    real(real64), allocatable :: times(:)
    type(c_ptr) :: address
    integer(c_size_t) :: n

    address = c_null_ptr
    n = c_record_rank_means(self%handle, address)
    times = times_at(address, n)
  end function

  !> The samples of one rank (sonde_keep_rank_samples), on rank 0 or, if kept there, on all; otherwise none.
  function record_rank_samples(self, rank) result(times)
    class(sonde_record), intent(in) :: self
    integer, intent(in) :: rank ! from 0, as MPI's
    real(real64), allocatable :: times(:)
    type(c_ptr) :: address
    integer(c_size_t) :: n

    address = c_null_ptr
    n = c_record_rank_samples(self%handle, int(rank, c_int), address)
    times = times_at(address, n)
  end function

  function times_at(address, n) result(times)
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: n
    real(real64), allocatable :: times(:)
    real(c_double), pointer :: there(:)

    allocate (times(n))
    if (n == 0) return
    call c_f_pointer(address, there, [n])
    times = there
  end function

  !> The record in one line. Give it to a variable: gfortran 12 frees a text of `associate` twice.
  function record_text(self) result(text)
    class(sonde_record), intent(in) :: self
    character(:), allocatable :: text
    character(kind=c_char), allocatable :: chars(:)
    integer(c_size_t) :: n

    allocate (chars(1))
    n = c_record_text(self%handle, chars, 1_c_size_t) + 1
    deallocate (chars)
    allocate (chars(n))
    n = c_record_text(self%handle, chars, n)
    text = text_of(chars)
  end function

  subroutine record_free(self)
    class(sonde_record), intent(inout) :: self

    if (self%is_owner) call c_record_free(self%handle)
    self%handle = c_null_ptr
    self%is_owner = .false.
  end subroutine

  ! ---- Comparisons -------------------------------------------------------------------------------------------------

  !> Number of alternatives, with the base.
  integer function comparison_count(self)
    class(sonde_comparison), intent(in) :: self

    comparison_count = int(c_comparison_count(self%handle))
  end function

  !> The record of an alternative, which is freed with the comparison.
  type(sonde_record) function comparison_record(self, alternative, stat, errmsg) result(record)
    class(sonde_comparison), intent(in) :: self
    integer, intent(in) :: alternative
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    integer(c_int) :: status

    record%handle = c_comparison_record(self%handle, index_of(alternative))
    status = merge(sonde_success, sonde_invalid_argument, c_associated(record%handle))
    error = error_of(status, "sonde: the comparison is NULL")
    if (c_associated(self%handle)) error = error_of(status, "sonde: the comparison has been freed, or was never made")
    error = own_fault(error, fault_of_number("alternative", alternative, self%count()))
    call finish(status, error, "comparison%record", stat, errmsg)
  end function

  !> Speed-up over the base. `gain`: the least difference that counts, 0.02 (the default) for 2 %; `confidence`: of all
  !> outcomes together, by default 0.95.
  function comparison_speedup(self, alternative, gain, confidence, stat, errmsg) result(speedup)
    class(sonde_comparison), intent(in) :: self
    integer, intent(in) :: alternative
    real(real64), intent(in), optional :: gain, confidence
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_speedup) :: speedup
    type(c_speedup) :: s
    type(c_error) :: error
    integer(c_int) :: status

    s%size = c_sizeof(s)
    status = c_comparison_speedup(self%handle, index_of(alternative), gain_of(gain), confidence_of(confidence), s, error)
    if (status == sonde_success) speedup = sonde_speedup(s%speedup, s%low, s%high, s%has_interval /= 0, s%outcome)
    error = own_fault(error, fault_of_number("alternative", alternative, self%count()))
    call finish(status, error, "comparison%speedup", stat, errmsg)
  end function

  !> The alternative to use: the fastest of those that are faster than the base, or 1, the base. Equal on all ranks.
  integer function comparison_fastest(self, gain, confidence, stat, errmsg) result(alternative)
    class(sonde_comparison), intent(in) :: self
    real(real64), intent(in), optional :: gain, confidence
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t) :: index
    type(c_error) :: error
    integer(c_int) :: status

    index = 0
    status = c_comparison_fastest(self%handle, gain_of(gain), confidence_of(confidence), index, error)
    alternative = int(index) + 1
    call finish(status, error, "comparison%fastest", stat, errmsg)
  end function

  !> The exchange's scope in the application, by which reports say what an alternative wins there: transfer / loop
  !> (1 - 1 / speedup) of the loop, and nothing of the waiting. The times are sums over passes and ranks, in seconds:
  !> after, and until, the last partner has entered; and of the enclosing scope.
  subroutine comparison_set_application(self, scope, transfer, waiting, loop, stat, errmsg)
    class(sonde_comparison), intent(inout) :: self
    character(*), intent(in) :: scope
    real(real64), intent(in) :: transfer, waiting, loop
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    call finish(c_comparison_set_application(self%handle, c_text(scope), transfer, waiting, loop, error), error, &
      "comparison%set_application", stat, errmsg)
  end subroutine

  subroutine comparison_free(self)
    class(sonde_comparison), intent(inout) :: self

    call c_comparison_free(self%handle)
  end subroutine

  !> An index of C.
  pure integer(c_size_t) function index_of(number)
    integer, intent(in) :: number

    index_of = number - 1_c_size_t
    if (number < 1) index_of = huge(index_of)
  end function

  pure real(real64) function gain_of(gain)
    real(real64), intent(in), optional :: gain

    gain_of = 0.02_real64
    if (present(gain)) gain_of = gain
  end function

  pure real(real64) function confidence_of(confidence)
    real(real64), intent(in), optional :: confidence

    confidence_of = 0.95_real64
    if (present(confidence)) confidence_of = confidence
  end function

  ! ---- Probes ------------------------------------------------------------------------------------------------------

  !> `kept_passes`: the latest passes of scopes of work and of exchanges that are kept for `sonde_collect_lateness`, of 24
  !> bytes each, rounded up to a power of two; 4,096 without it.
  subroutine probe_init(self, kept_passes, stat, errmsg)
    class(sonde_probe), intent(inout) :: self
    integer, intent(in), optional :: kept_passes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    integer(c_size_t) :: kept

    call self%free()
    kept = 0
    if (present(kept_passes)) kept = merge(kept_passes, -1, kept_passes > 0) ! the C interface refuses -1
    call finish(c_probe_create(kept, self%handle, error), error, "probe%init", stat, errmsg)
  end subroutine

  subroutine probe_free(self)
    class(sonde_probe), intent(inout) :: self

    call c_probe_free(self%handle)
  end subroutine

  !> Find or make the scope of this name within `parent`, or outermost without one. `bytes`: moved in a pass.
  function probe_scope(self, name, parent, bytes, stat, errmsg) result(scope)
    class(sonde_probe), intent(in) :: self
    character(*), intent(in) :: name
    type(sonde_scope), intent(in), optional :: parent
    integer, intent(in), optional :: bytes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_scope) :: scope
    integer(int64) :: moved

    moved = 0
    if (present(bytes)) moved = bytes
    scope = self%scope(name, parent, moved, stat, errmsg)
  end function

  !> The same for bytes that a default integer does not hold.
  function probe_scope_int64(self, name, parent, bytes, stat, errmsg) result(scope)
    class(sonde_probe), intent(in) :: self
    character(*), intent(in) :: name
    type(sonde_scope), intent(in), optional :: parent
    integer(int64), intent(in) :: bytes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_scope) :: scope
    type(c_ptr) :: outer
    type(c_error) :: error

    outer = c_null_ptr
    if (present(parent)) outer = parent%handle
    call finish(c_probe_scope(self%handle, outer, c_text(name), bytes, scope%handle, error), error, "probe%scope", &
      stat, errmsg)
  end function

  !> The same for a scope in which this rank computes and does not wait for other ranks.
  function probe_work(self, name, parent, stat, errmsg) result(scope)
    class(sonde_probe), intent(in) :: self
    character(*), intent(in) :: name
    type(sonde_scope), intent(in), optional :: parent
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_scope) :: scope
    type(c_ptr) :: outer
    type(c_error) :: error

    outer = c_null_ptr
    if (present(parent)) outer = parent%handle
    call finish(c_probe_work(self%handle, outer, c_text(name), scope%handle, error), error, "probe%work", stat, errmsg)
  end function

  !> The same for an exchange, in which this rank waits for its partners, ranks of the group of `sonde_collect_lateness`;
  !> without `partners`, or with none: all ranks. All ranks that have an exchange pass it equally often.
  function probe_exchange(self, name, parent, bytes, partners, stat, errmsg) result(scope)
    class(sonde_probe), intent(in) :: self
    character(*), intent(in) :: name
    type(sonde_scope), intent(in), optional :: parent
    integer, intent(in), optional :: bytes
    integer, intent(in), optional :: partners(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_scope) :: scope
    integer(int64) :: moved

    moved = 0
    if (present(bytes)) moved = bytes
    scope = self%exchange(name, parent, moved, partners, stat, errmsg)
  end function

  function probe_exchange_int64(self, name, parent, bytes, partners, stat, errmsg) result(scope)
    class(sonde_probe), intent(in) :: self
    character(*), intent(in) :: name
    type(sonde_scope), intent(in), optional :: parent
    integer(int64), intent(in) :: bytes
    integer, intent(in), optional :: partners(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_scope) :: scope
    integer(c_int), allocatable :: awaited(:)
    type(c_ptr) :: outer
    type(c_error) :: error

    outer = c_null_ptr
    if (present(parent)) outer = parent%handle
    allocate (awaited(0))
    if (present(partners)) awaited = partners
    call finish(c_probe_exchange(self%handle, outer, c_text(name), bytes, awaited, size(awaited, kind=c_size_t), &
      scope%handle, error), error, "probe%exchange", stat, errmsg)
  end function

  !> Begin a pass. A pass that has not ended yet is a mistake, and ends the program.
  subroutine scope_enter(self)
    class(sonde_scope), intent(inout) :: self

    if (c_associated(self%pass%scope)) call refuse_second_pass()
    call c_scope_begin(self%handle, self%pass)
  end subroutine

  subroutine refuse_second_pass()
    call finish(sonde_invalid_state, error_of(sonde_invalid_state, &
      "sonde: a pass begins before the previous one ends; a recursive procedure needs a copy of the scope"), "scope%enter")
  end subroutine

  !> End a pass, or do nothing without one.
  subroutine scope_leave(self)
    class(sonde_scope), intent(inout) :: self

    call c_scope_leave(self%pass)
  end subroutine

  !> `path`: of the file, of which a process has one monitor. `interval`: seconds between two files, at least 0.001.
  subroutine monitor_init(self, group, path, interval, stat, errmsg)
    class(sonde_monitor), intent(inout) :: self
    type(sonde_group), intent(in) :: group
    character(*), intent(in) :: path
    real(real64), intent(in), optional :: interval
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double) :: every
    type(c_error) :: error

    call self%free()
    every = 10
    if (present(interval)) every = interval
    call finish(c_monitor_create(group%handle, c_text(path), every, self%handle, error), error, "monitor%init", stat, &
      errmsg)
  end subroutine

  !> Show the scopes of the probe, from now on, also those that are made later. The file is written until the monitor
  !> and its probes are freed.
  subroutine monitor_add(self, probe, stat, errmsg)
    class(sonde_monitor), intent(in) :: self
    type(sonde_probe), intent(in) :: probe
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    call finish(c_monitor_add(self%handle, probe%handle, error), error, "monitor%add", stat, errmsg)
  end subroutine

  !> Write the file now. `written`: false if another process writes for the node.
  subroutine monitor_write(self, written, stat, errmsg)
    class(sonde_monitor), intent(in) :: self
    logical, intent(out), optional :: written
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: wrote
    type(c_error) :: error

    wrote = 0
    call finish(c_monitor_write(self%handle, wrote, error), error, "monitor%write", stat, errmsg)
    if (present(written)) written = wrote /= 0
  end subroutine

  !> The last monitor on a node removes the file.
  subroutine monitor_free(self)
    class(sonde_monitor), intent(inout) :: self

    call c_monitor_free(self%handle)
  end subroutine

  !> Collect the scopes of all ranks. Collective over the group; the result is equal on all ranks.
  subroutine sonde_collect(group, probe, scopes, stat, errmsg)
    type(sonde_group), intent(in) :: group
    type(sonde_probe), intent(in) :: probe
    type(sonde_scopes), intent(inout) :: scopes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    type(c_error) :: error
    integer(c_int) :: status

    handle = c_null_ptr
    status = c_collect(group%handle, probe%handle, handle, error)
    if (status == sonde_success) then
      call scopes%free()
      scopes%handle = handle
    end if
    call finish(status, error, "sonde_collect", stat, errmsg)
  end subroutine

  integer function scopes_count(self)
    class(sonde_scopes), intent(in) :: self

    scopes_count = int(c_scopes_count(self%handle))
  end function

  function scopes_summary(self, number, stat, errmsg) result(summary)
    class(sonde_scopes), intent(in) :: self
    integer, intent(in) :: number
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_scope_summary) :: summary
    type(c_scope_summary) :: s
    type(c_error) :: error
    integer(c_int) :: status

    s%size = c_sizeof(s)
    status = c_scopes_summary(self%handle, index_of(number), s, error)
    if (status == sonde_success) then
      summary = sonde_scope_summary("", int(s%parent) + 1, s%ranks, s%passes, s%bytes, s%median, s%total_min, &
        s%total_mean, s%total_max, s%slowest, s%slow_rank, s%share, s%imbalance, s%bandwidth, s%kind)
      summary%name = text_at(s%name)
    end if
    error = own_fault(error, fault_of_number("scope", number, self%count()))
    call finish(status, error, "scopes%summary", stat, errmsg)
  end function

  subroutine scopes_free(self)
    class(sonde_scopes), intent(inout) :: self

    call c_scopes_free(self%handle)
  end subroutine

  ! ---- Who made ranks wait -----------------------------------------------------------------------------------------

  !> Find the ranks that made other ranks wait, from the latest passes of the probe's exchanges and scopes of work.
  !> Collective over the group; the result is equal on all ranks. A rank is named if another rank waited the share
  !> `effect` (0.05) of its time for it, at a rate of `false_alarms` (0.01) of reports; those of rank 0 count.
  subroutine sonde_collect_lateness(group, probe, lateness, effect, false_alarms, stat, errmsg)
    type(sonde_group), intent(in) :: group
    type(sonde_probe), intent(in) :: probe
    type(sonde_lateness), intent(inout) :: lateness
    real(real64), intent(in), optional :: effect, false_alarms
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_lateness_options) :: options
    type(c_ptr) :: handle
    type(c_error) :: error
    integer(c_int) :: status

    options%size = c_sizeof(options)
    if (present(effect)) options%effect = effect
    if (present(false_alarms)) options%false_alarms = false_alarms
    handle = c_null_ptr
    status = c_collect_lateness(group%handle, probe%handle, options, handle, error)
    if (status == sonde_success) then
      call lateness%free()
      lateness%handle = handle
    end if
    call finish(status, error, "sonde_collect_lateness", stat, errmsg)
  end subroutine

  function lateness_summary(self, stat, errmsg) result(summary)
    class(sonde_lateness), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sonde_loop_summary) :: summary
    type(c_loop_summary) :: s
    type(c_error) :: error
    integer(c_int) :: status

    s%size = c_sizeof(s)
    status = c_lateness_summary(self%handle, s, error)
    if (status == sonde_success) then
      summary%steps = s%steps
      summary%enough_steps = s%enough_steps /= 0
      summary%waiting = s%waiting
      summary%transfer = s%transfer
      summary%low = s%low
      summary%high = s%high
      summary%has_interval = s%has_interval /= 0
      summary%observed = s%observed
      summary%clock_error = s%clock_error
      call take_late_ranks(s, summary)
      call take_exchanges(s, summary)
      call take_effects(s, summary)
    end if
    call finish(status, error, "lateness%summary", stat, errmsg)
  end function

  subroutine take_late_ranks(s, summary)
    type(c_loop_summary), intent(in) :: s
    type(sonde_loop_summary), intent(inout) :: summary
    type(c_late_rank), pointer :: late(:)
    type(sonde_rank_lateness), pointer :: ranks(:)
    integer(c_size_t), pointer :: steps(:)
    integer :: i

    allocate (summary%late(s%late_count), summary%ranks(0:s%rank_count - 1))
    if (s%rank_count /= 0) then
      call c_f_pointer(s%ranks, ranks, [s%rank_count])
      summary%ranks(:) = ranks
    end if
    if (s%late_count == 0) return
    call c_f_pointer(s%late, late, [s%late_count])
    do i = 1, size(late)
      summary%late(i)%rank = late(i)%rank
      summary%late(i)%caused = late(i)%caused
      summary%late(i)%share = late(i)%share
      summary%late(i)%exchange = text_at(late(i)%exchange)
      summary%late(i)%lateness = late(i)%lateness
      call c_f_pointer(late(i)%steps, steps, [late(i)%step_count])
      summary%late(i)%steps = steps
      summary%late(i)%of_steps = late(i)%of_steps
      summary%late(i)%work = text_at(late(i)%work)
      summary%late(i)%ratio = late(i)%ratio
      summary%late(i)%of_other_steps = late(i)%of_other_steps /= 0
    end do
  end subroutine

  subroutine take_exchanges(s, summary)
    type(c_loop_summary), intent(in) :: s
    type(sonde_loop_summary), intent(inout) :: summary
    type(c_exchange_lateness), pointer :: exchanges(:)
    type(c_slow_transfer), pointer :: slow(:)
    integer(c_int), pointer :: ranks(:)
    integer :: i

    allocate (summary%exchanges(s%exchange_count), summary%slow_transfers(s%slow_transfer_count))
    if (s%exchange_count /= 0) call c_f_pointer(s%exchanges, exchanges, [s%exchange_count])
    do i = 1, size(summary%exchanges)
      summary%exchanges(i) = sonde_exchange_lateness("", exchanges(i)%passes, exchanges(i)%unexamined, &
        exchanges(i)%waiting, exchanges(i)%transfer, exchanges(i)%is_unequal /= 0, exchanges(i)%fewest, &
        exchanges(i)%most, exchanges(i)%fewest_rank, exchanges(i)%most_rank)
      summary%exchanges(i)%name = text_at(exchanges(i)%name)
    end do
    if (s%slow_transfer_count /= 0) call c_f_pointer(s%slow_transfers, slow, [s%slow_transfer_count])
    do i = 1, size(summary%slow_transfers)
      call c_f_pointer(slow(i)%ranks, ranks, [slow(i)%rank_count])
      summary%slow_transfers(i)%exchange = text_at(slow(i)%exchange)
      summary%slow_transfers(i)%ranks = ranks
      summary%slow_transfers(i)%ratio = slow(i)%ratio
      summary%slow_transfers(i)%caused = slow(i)%caused
    end do
  end subroutine

  subroutine take_effects(s, summary)
    type(c_loop_summary), intent(in) :: s
    type(sonde_loop_summary), intent(inout) :: summary
    character(*), parameter :: kinds(0:3) = [character(12) :: "period", "burst", "change_point", "drift"]
    type(c_scope_effect), pointer :: effects(:)
    integer(c_size_t), pointer :: steps(:)
    integer :: i

    allocate (summary%effects(s%effect_count))
    if (s%effect_count /= 0) call c_f_pointer(s%effects, effects, [s%effect_count])
    do i = 1, size(summary%effects)
      call c_f_pointer(effects(i)%steps, steps, [effects(i)%step_count])
      summary%effects(i) = sonde_scope_effect("", "", steps, effects(i)%of_steps, effects(i)%period, &
        effects(i)%typical, effects(i)%excess, effects(i)%p)
      summary%effects(i)%scope = text_at(effects(i)%scope)
      summary%effects(i)%kind = trim(kinds(effects(i)%kind))
    end do
  end subroutine

  !> The sentences, a line each. Give them to a variable: gfortran 12 frees a text of `associate` twice.
  function lateness_text(self) result(text)
    class(sonde_lateness), intent(in) :: self
    character(:), allocatable :: text
    character(kind=c_char), allocatable :: chars(:)
    integer(c_size_t) :: n

    allocate (chars(1))
    n = c_lateness_text(self%handle, chars, 1_c_size_t) + 1
    deallocate (chars)
    allocate (chars(n))
    n = c_lateness_text(self%handle, chars, n)
    text = text_of(chars)
    if (n /= 0) text = text(:len(text) - 1) ! `print` ends the last line
  end function

  subroutine lateness_free(self)
    class(sonde_lateness), intent(inout) :: self

    call c_lateness_free(self%handle)
  end subroutine

  ! ---- Reports -----------------------------------------------------------------------------------------------------

  !> The ending of the file's name chooses the form: .txt (a table), .csv, .jsonl, .html, .prom (OpenMetrics), .svg, .png
  !> or .pdf (a picture); without a file: a table on standard output. Collective over the group.
  subroutine reporter_init(self, group, file, stat, errmsg)
    class(sonde_reporter), intent(inout) :: self
    type(sonde_group), intent(in) :: group
    character(*), intent(in), optional :: file
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: path(:)
    type(c_ptr) :: address
    type(c_error) :: error
    integer(c_int) :: status

    address = c_null_ptr
    if (present(file)) then
      allocate (path, source=c_text(file))
      address = c_loc(path)
    end if
    if (c_associated(self%handle)) then
      status = sonde_invalid_state
      error = error_of(sonde_invalid_state, "sonde: the reporter has a file: close it before")
    else
      status = c_reporter_create(group%handle, address, self%handle, error)
      self%is_on_output = .not. present(file)
    end if
    call finish(status, error, "reporter%init", stat, errmsg)
  end subroutine

  !> Report a record. Local: rank 0 writes, and the other ranks do nothing.
  subroutine report_record(self, record, stat, errmsg)
    class(sonde_reporter), intent(in) :: self
    type(sonde_record), intent(in) :: record
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    integer(c_int) :: status

    if (self%is_on_output) flush (output_unit)
    status = c_report(self%handle, record%handle, error)
    call finish(status, error, "reporter%report", stat, errmsg)
  end subroutine

  subroutine report_comparison(self, comparison, gain, confidence, stat, errmsg)
    class(sonde_reporter), intent(in) :: self
    type(sonde_comparison), intent(in) :: comparison
    real(real64), intent(in), optional :: gain, confidence
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    integer(c_int) :: status

    if (self%is_on_output) flush (output_unit)
    status = c_report_comparison(self%handle, comparison%handle, gain_of(gain), confidence_of(confidence), error)
    call finish(status, error, "reporter%report", stat, errmsg)
  end subroutine

  subroutine report_scopes(self, scopes, stat, errmsg)
    class(sonde_reporter), intent(in) :: self
    type(sonde_scopes), intent(in) :: scopes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    integer(c_int) :: status

    if (self%is_on_output) flush (output_unit)
    status = c_report_scopes(self%handle, scopes%handle, error)
    call finish(status, error, "reporter%report", stat, errmsg)
  end subroutine

  subroutine report_lateness(self, lateness, stat, errmsg)
    class(sonde_reporter), intent(in) :: self
    type(sonde_lateness), intent(in) :: lateness
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    integer(c_int) :: status

    if (self%is_on_output) flush (output_unit)
    status = c_report_lateness(self%handle, lateness%handle, error)
    call finish(status, error, "reporter%report", stat, errmsg)
  end subroutine

  !> Complete and close the file.
  subroutine reporter_close(self, stat, errmsg)
    class(sonde_reporter), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error

    call finish(c_reporter_close(self%handle, error), error, "reporter%close", stat, errmsg)
  end subroutine
end module
