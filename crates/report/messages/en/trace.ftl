### Traces of the PyTorch profiler: what was wrong with a file, verdicts, findings, pictures.

## Faults

fault-trace-ends-early = The trace ends in the middle
fault-trace-compression-damaged = The compressed trace is damaged
fault-trace-compression-unknown = The trace is compressed by something other than gzip
fault-trace-unreadable = The trace cannot be read
fault-trace-not-json = The trace is not valid JSON
fault-trace-nested-too-deep = The trace has brackets nested deeper than any profiler writes
fault-trace-too-large = The trace is larger than the limit
fault-trace-too-many-events = The trace has more events than the limit
fault-trace-without-events = The file has no list of events (traceEvents)
fault-trace-two-event-arrays = The file has two lists of events
fault-trace-empty = The file is empty
hint-trace-copy-again = Copy or export the file again; it is probably incomplete.
hint-trace-decompress = Decompress it, or compress it with gzip.
hint-trace-export-again = Export it with torch.profiler (export_chrome_trace) and hand over that file unchanged.
hint-trace-fewer-steps = Record fewer steps; three to five are enough.

## Verdicts

trace-verdict-plain = { $finding }
trace-verdict-gain = { $finding } At most { $gain } of the time can be saved.
trace-verdict-gain-then = { $finding } At most { $gain } of the time can be saved; next: { $next }, at most { $then } of what remains.
trace-verdict-healthy = Nothing holds the work back: the accelerator is busy { $busy } of the time and is itself the limit.
trace-lack-no-accelerator = The trace shows no work of an accelerator, so it cannot say what holds one back.
trace-lack-other-accelerator = The trace is of an accelerator whose work is not divided into kernels: its commands fill { $busy } of the recorded time, and what held it back cannot be read from that.
trace-lack-microbenchmark = The trace holds { $kernels ->
    [one] only one kernel
   *[other] only { $kernels } kernels
 }: a microbenchmark, from which nothing follows for real work.
trace-lack-alike = All { $kernels } kernels of the trace are of { $names ->
    [one] one kind
   *[other] { $names } kinds
 }: a microbenchmark, from which nothing follows for real work.
trace-lack-no-load = The accelerator did next to nothing in this trace: there is no load to judge.
trace-lack-single-gap = One single gap takes most of the time; this says nothing about the steady state.
trace-lack-unexplained = The accelerator stood still for a notable part of the time, and the trace does not show why.
trace-ask-accelerator = Record the accelerator too: profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]).
trace-ask-other-accelerator = Use the vendor's own tool for this accelerator, or add the text of its monitoring.
trace-ask-steps = Record three to five steps of the real work after a warm-up: schedule(wait=1, warmup=3, active=3).
trace-ask-stack = Record again with with_stack=True and ProfilerActivity.CPU, so that the gaps have names.

trace-confidence-low = uncertain
trace-confidence-medium = one signal
trace-confidence-high = several signals

## Findings

trace-loader = For { $share } of the time the accelerator waits for the data loader ({ $confidence }).
trace-loader-fix = Let workers prepare batches ahead, in pinned memory: { $code }
trace-loader-refuted = The loader takes less than 2% of the step, or the gaps lie spread within it.
trace-sync = For { $share } of the time the accelerator stands still after the host waited for it ({ $gaps ->
    [one] one time
   *[other] { $gaps } times
 }; { $confidence }).
trace-sync-fix = Do not read values back inside the loop (.item(), .cpu(), print): { $code }
trace-sync-refuted = The accelerator works on while the host waits: then the wait only takes time of the host.
trace-launch = For { $share } of the time the accelerator waits for the host to launch work; half of the kernels are shorter than { $median } ({ $confidence }).
trace-launch-fix = Launch less often: compile the model into graphs, fuse kernels, or take larger batches: { $code }
trace-launch-refuted = Many launches are queued ahead of the accelerator, or kernels take more than 100 µs.
trace-launch-stacks = Recorded without with_stack the gaps go away: recording Python functions slows the host.
trace-pageable = Copies from memory that is not pinned take { $share } of the time ({ $confidence }).
trace-pageable-fix = Pin the memory and copy without waiting: { $code }
trace-pageable-refuted = The copies come from pinned memory, or take less than 1%.
trace-communication = For { $share } of the time the accelerator communicates and computes nothing ({ $confidence }).
trace-communication-fix = Hide communication behind computing: larger buckets, prefetching, gradient accumulation, a better topology: { $code }
trace-communication-refuted = More than 80% of the communication is hidden, or it takes less than 5% of the time.
trace-straggler = Rank { $rank } works { $over } longer than the median rank, and the others wait for it: { $share } of the step ({ $confidence }).
trace-straggler-fix = Give every rank as much work, and look for a throttled accelerator or a slow node. { $code }
trace-straggler-refuted = All ranks spend the same time communicating.
trace-pipeline = Stages of the pipeline wait for each other { $share } of the time ({ $confidence }).
trace-pipeline-fix = Use more micro-batches, at least four for each stage, or interleave stages: { $code }
trace-pipeline-refuted = No rank sends to a single other rank.
trace-recompiles = Code is compiled again in { $steps ->
    [one] one later step
   *[other] { $steps } later steps
 }, for { $share } of the time ({ $confidence }).
trace-recompiles-fix = Keep shapes fixed or let them vary by design: { $code }
trace-recompiles-refuted = Nothing is compiled after the first step.
trace-checkpoint = Writing checkpoints or evaluating stops the accelerator for { $share } of the time ({ $confidence }).
trace-checkpoint-fix = Write checkpoints in the background, in parts, or less often: { $code }
trace-checkpoint-refuted = No long gap lies beside copies to the host.
trace-allocator = Allocating and freeing memory stops the accelerator for { $share } of the time ({ $confidence }).
trace-allocator-fix = Keep shapes fixed and memory cached; try the command below. { $code }
trace-allocator-refuted = Memory is allocated in the first steps only.
trace-tensor = Matrix products and convolutions take { $eligible } of the kernels' time and use no tensor cores ({ $confidence }).
trace-tensor-fix = Allow TF32 or bfloat16, with dimensions that are multiples of 8: { $code }
trace-tensor-refuted = Kernels' names show tensor instructions (884, 16816, hmma, wgmma).
trace-memory = { $share } of the kernels' time goes to kernels that move data rather than compute, and the accelerator is idle { $idle } of the time only: its memory is the limit ({ $confidence }).
trace-memory-fix = Move fewer bytes: fuse kernels, narrower types, larger batches in decoding: { $code }
trace-memory-refuted = A profile of the hardware shows less than 40% of the memory's bandwidth in use.
trace-warmup = The first steps prepare (compile, load code, choose kernels): { $share } of the recorded time says nothing about later steps; the accelerator waited { $preparing } of the time for it ({ $confidence }).
trace-warmup-fix = Leave the first steps out of the recording: { $code }
trace-warmup-refuted = Later steps are as slow.

## Pictures and tables

trace-heading-split = Where the time goes
trace-heading-timeline = Over time (each sign is one part of the recorded time)
trace-heading-course = Over time
trace-heading-steps = Steps
trace-heading-kernels = Kernels by time
trace-heading-ranks = Ranks, mean step
trace-heading-after = If the first were solved
trace-after-line = { $cause }: at most { $share }
trace-ask-heading = What to record
trace-of-rank = Rank { $rank }: { $summary }
trace-summary = { $events ->
    [one] one event
   *[other] { $events } events
 }, { $kernels ->
    [one] one kernel
   *[other] { $kernels } kernels
 }, window { $window }, idle { $idle }
trace-summary-other = { $events ->
    [one] one event
   *[other] { $events } events
 }, of which { $other } of an accelerator without kernels, over { $window }
trace-summary-host = { $events ->
    [one] one event
   *[other] { $events } events
 }, no work of an accelerator
trace-part-compute = computing
trace-part-communication = communication, exposed
trace-part-copies = copies, exposed
trace-part-loader = waiting for the loader
trace-part-sync = after a synchronisation
trace-part-launch = waiting for launches
trace-part-other = idle, other
trace-column-part = Part
trace-column-time = Time
trace-column-share = Share
trace-column-kernel = Kernel
trace-column-count = Count
trace-column-mean = Mean
trace-column-step = Step
trace-column-idle = Idle
trace-column-critical = Most of it
trace-column-rank = Rank
trace-column-own = Own work
trace-column-exposed = Exposed communication
trace-resource-compute = computing
trace-resource-communication = communication
trace-resource-copies = copies
trace-resource-loader = loader
trace-resource-sync = synchronisation
trace-resource-launch = launches
trace-resource-other = other

## Codes in general

finding-data-loader-wait = The accelerator waits for the data loader.
finding-host-device-sync = The accelerator stands still after the host waited for it.
finding-launch-bound = The host launches work more slowly than the accelerator does it.
finding-h2d-pageable = Batches are copied from memory that is not pinned.
finding-exposed-communication = The accelerator communicates and computes nothing meanwhile.
finding-straggler-rank = One rank works longer than the others and all wait for it.
finding-pipeline-bubble = Stages of the pipeline wait for each other.
finding-recompiles = Code is compiled again in later steps.
finding-checkpoint-eval-stall = Writing checkpoints or evaluating stops the accelerator.
finding-allocator-thrash = Allocating and freeing memory stops the accelerator.
finding-tensor-cores-unused = Matrix products run on the plain cores although there are tensor cores.
finding-memory-bandwidth = The accelerator's memory is the limit.
finding-warmup-jit = Only the first steps are slow.
finding-trace-incomplete = { $why }: { $events ->
    [one] one event was
   *[other] { $events } events were
 } read, and everything here holds for them alone.

## Comparisons and details

trace-cause-data-loader-wait = waiting for the data loader
trace-cause-host-device-sync = waiting after synchronisations
trace-cause-launch-bound = waiting for launches
trace-cause-h2d-pageable = copies from memory that is not pinned
trace-cause-exposed-communication = exposed communication
trace-cause-straggler-rank = the slow rank
trace-cause-pipeline-bubble = waiting within the pipeline
trace-cause-recompiles = compiling again and again
trace-cause-checkpoint-eval-stall = checkpoints or evaluation
trace-cause-allocator-thrash = allocating memory
trace-cause-tensor-cores-unused = tensor cores that are not used
trace-cause-memory-bandwidth = the bandwidth of the memory
trace-cause-warmup-jit = the warm-up

trace-diff-faster = Faster: { $what } takes { $after } instead of { $before } ({ $share } less), because { $because }.
trace-diff-slower = Slower: { $what } takes { $after } instead of { $before } ({ $share } more), because { $because }.
trace-diff-same = No clear difference: { $what } takes { $after }, before it was { $before }.
trace-diff-other-work = The traces show different work, so that their times do not compare: only { $common } of the kernels' time is in kernels that both have.
trace-diff-damaged = The traces cannot be compared: only a part of one of them could be read.
trace-diff-unknown = The traces cannot be compared: one of them shows no work of an accelerator.
trace-microseconds = { $n } µs
trace-milliseconds = { $n } ms
trace-seconds = { $n } s
trace-diff-step = a step
trace-diff-recording = the recording
trace-diff-less = { $part } takes { $time } less
trace-diff-more = { $part } takes { $time } more
trace-before = before
trace-after = after
trace-heading-diff = Before and after, the recording
trace-heading-diff-step = Before and after, mean step
trace-heading-diff-kernels = Kernels that changed most (a step, where steps are compared)
trace-column-change = Change

trace-time-compute = computing
trace-time-communication = exposed communication
trace-time-copies = exposed copying
trace-time-loader = waiting for the loader
trace-time-checkpoint = writing checkpoints
trace-time-evaluation = evaluating
trace-time-compile = compiling
trace-time-module = loading code
trace-time-allocation = allocating memory
trace-time-staging = preparing copies from memory that is not pinned
trace-time-sync = waiting after synchronisations
trace-time-launch = waiting for launches
trace-time-queued = waiting until queued work begins
trace-time-unexplained = standing still for no visible reason

trace-heading-waits = Idle time
trace-heading-families = Kernels by kind
trace-heading-communication = Communication
trace-heading-copies = Memory copies
trace-heading-launches = Launches and the queue
trace-heading-streams = Streams
trace-idle-host = the host was late (host wait)
trace-idle-kernel = work was queued (kernel wait)
trace-idle-other = not known (other)
trace-column-comm = Comm.
trace-column-copies = Copies
trace-column-family = Kind
trace-column-kind = Kind
trace-column-copy = Copy
trace-column-size = Size
trace-column-rate = Rate
trace-column-value = Value
trace-column-device = Device
trace-column-stream = Stream
trace-column-busy = Busy
trace-row-tensor = on tensor cores, of products whose names tell
trace-row-hidden = hidden behind computing, of all
trace-family-communication = communication
trace-family-allreduce = own all-reduce
trace-family-attention = attention
trace-family-gemm = matrix products
trace-family-convolution = convolutions
trace-family-normalisation = normalisation
trace-family-elementwise = pointwise
trace-family-reduction = reductions
trace-family-embedding = look-ups
trace-family-optimizer = optimizer
trace-family-layout = rearranging
trace-family-sorting = sorting and choosing
trace-family-quantisation = quantisation
trace-family-random = random numbers
trace-family-other = other
trace-collective-all-reduce = all-reduce
trace-collective-all-gather = all-gather
trace-collective-reduce-scatter = reduce-scatter
trace-collective-broadcast = broadcast
trace-collective-send-receive = send and receive
trace-collective-reduce = reduce
trace-collective-other = the name does not say
trace-launch-calls = launching calls with their kernel
trace-launch-graphs = of these, whole graphs
trace-launch-call-median = median call
trace-launch-delay-median = median delay until the kernel begins
trace-launch-kernel-median = median kernel
trace-launch-shorter = kernels shorter than their call
trace-launch-slow = slow calls (over 50 µs)
trace-launch-late = late starts (over 100 µs)
trace-launch-queue-median = median length of the queue
trace-launch-queue-max = longest queue
trace-launch-sync = synchronising calls, in all
trace-more = Steps, idle time, copies, communication, launches and streams: --explain
