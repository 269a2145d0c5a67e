### Messages of: here, bench

here-machine = { $name } with { $cores } usable cores and { $memory } of memory
here-runs-well = { $machine } runs models up to { $model } in { $precision } well, at about { $rate } for one user.
here-holds = { $machine } holds models up to { $model } in { $precision }{ $known ->
    [yes] , but none of the models tried writes as fast as one reads
   *[no] ; how fast is not known before it is measured
}.
here-holds-nothing = { $machine } holds none of the models that were tried.
here-nothing-seen = Nothing of this machine could be read.
here-processor = { $sockets ->
    [one] Processor
   *[other] { $sockets } processors
} { $name }: { $cores } cores, { $threads } threads, { $simd }{ $cache ->
    [0] {""}
   *[other] , last-level cache { $cache }
}
here-memory = Memory { $total }, { $speed }
here-speed-unknown = speed not known
here-speed-measured = reads { $rate } (measured here)
here-speed-computed = { $rate } at most (by its channels)
here-accelerator = { $count } x { $name }, { $memory } each
here-container = In a container ({ $kind })
here-virtual = A virtual machine{ $product ->
    [none] {""}
   *[other] {" "}({ $product })
}
here-wsl = In WSL { $version }
here-disk = Disk { $name }: { $bytes }, { $kind ->
    [nvme] NVMe
    [ssd] SSD
    [hdd] hard disk
    [virtual] shown by the host, its kind not known
   *[unknown] kind not known
}
here-port = Network { $name }: { $rate }
here-runs-heading = What it runs (1 user, 1,024 tokens in, 256 out)
here-column-model = model
here-column-precision = precision
here-column-gib = GiB
here-column-decode = tokens/s
here-column-decode-range = 80 % range
here-column-prefill = prompt tokens/s
here-next-size = One of these closer by
here-next-bench = Measure this machine: takes under 20 seconds, and makes speeds its own
assumed-here-rates = processor rates by its instruction sets ({ $simd } at { $ghz } GHz)
assumed-here-card = { $card } by its memory alone
why-here-unknown = the catalogue does not know it
bench-verdict = { $machine } multiplies { $flops } in FP32 and reads { $read } from memory.
bench-nothing = There was too little free memory to measure this machine.
bench-product = Matrix multiply, { $number }
bench-memory-read = Memory, reading
bench-memory-triad = Memory, triad
bench-cache = Cache, level { $level }
bench-disk-write = Disk, writing
bench-disk-read = Disk, reading
bench-disk-random = Disk, random reads/s
bench-gpu-product = Matrix multiply, bf16
bench-gpu-copy = GPU memory, copying
bench-gpu-host = From host to GPU
bench-gpu-peer = From GPU to GPU
bench-column-what = what
bench-column-how = how
bench-column-measured = measured
bench-column-spread = spread
bench-column-catalogue = peak by catalogue
bench-column-share = share
bench-disk-cached = Reading from the disk was not measured: this file system does not let the page cache be passed by.
bench-gpu-untested = The measurement of GPUs has never been tried on one: take its figures with care.
bench-stored = Kept in { $file } for --here.
bench-next = What this machine can run, with these figures
fault-facts-row-malformed = A row of the facts cannot be read: { $why }.
fault-bench-not-stored = The figures could not be kept: { $why }.
hint-bench-not-stored = Make the folder writable, set XDG_DATA_HOME, or use --no-store.

finding-cores-limited-by-quota = A quota leaves { $cpus } of { $threads } processors: the rest is there and may not be used.
fix-cores-limited-by-quota = Raise the container's CPU limit, if the work is to run in it.
finding-memory-limit = A limit leaves { $limit } of { $total } of memory; what goes beyond is killed.
fix-memory-limit = Raise the container's memory limit, if the model is to run in it.
finding-steal-time = { $share } of the processors' time went to other guests of the host.
fix-steal-time = Take an instance with dedicated cores, or measure again at a quieter hour.
finding-pcie-lanes-fewer = The card has { $lanes } of its { $most } PCIe lanes.
fix-pcie-lanes-fewer = Put it in a slot with all lanes, and look whether an NVMe disk shares them; without load some cards give up lanes to save power.
finding-processor-not-in-catalogue = The catalogue does not know this processor: figures rest on what it says of itself.
finding-memory-speed-unknown = How fast the memory is could not be read, so speeds on the processor are not known.
fix-memory-speed-unknown = Measure it; or give --cpu-bandwidth.
finding-governor-powersave = The frequency governor is powersave.
fix-governor-powersave = Set it to performance and measure both: with some drivers it makes no difference.
finding-bench-noisy = Repeats differ by up to { $spread }: something else ran meanwhile.
fix-bench-noisy = Measure again on a quiet machine.
finding-bench-throttled = A quota held the measurement back in { $periods } periods: the figures are what the container gets, in bursts.
fix-bench-throttled = Measure outside the container to learn what the machine can do.
finding-bench-slows-down = At the end the processor did { $loss } less than at the start.
fix-bench-slows-down = Heat, a power limit or a neighbour: look at cooling and power settings, and measure again; the figures above are those of the first seconds.
finding-bench-thermal-throttling = Heat slowed the processor down { $events } times during the measurement.
fix-bench-thermal-throttling = Improve the cooling: long jobs will be slower than these figures.
advise-here = This machine does it: { $machine }{ $what ->
    [token] , { $figure } a token
    [train] , trains at { $figure }
    [time] , done in { $figure }
    [items] , { $figure } items a second
   *[unknown] {""}
}; { $others ->
    [0] nothing else was found
    [one] one other candidate is listed for comparison
   *[other] { $others } others are listed for comparison
}.
reason-here = { $known ->
    [yes] It is there already: a working hour costs { $hourly } of electricity.
   *[no] It is there already: what it costs further is its electricity, and how much it draws is not known.
}
reason-here-gain = { $machine }, the best of the others, { $what ->
    [tokens] writes { $times } times as fast as this machine for one user and { $all } times as much in all{ $prompt ->
        [yes] {""}, and reads prompts { $prefill } times as fast
       *[no] {""}
    }
    [train] trains { $times } times as fast as this machine
    [items] does { $times } times as much as this machine
   *[finish] is done { $times } times as fast as this machine
}; there { here-bound } is the limit.
here-with-gain = This machine with { $machine } would { $what ->
    [tokens] write { $times } times as fast for one user and { $all } times as much in all{ $prompt ->
        [yes] {""}, and read prompts { $prefill } times as fast
       *[no] {""}
    }
    [train] train { $times } times as fast
    [items] do { $times } times as much
   *[finish] be done { $times } times as fast
}; then { here-bound } is the limit.
here-with = This machine with { $machine } would do it.
here-with-misses = This machine with { $machine } would not do it: { $why }.
here-misses = This machine, { $machine }, does not do it: { $why }.
here-bound = { $bound ->
    [compute] arithmetic
    [memory] memory bandwidth
    [network] the link between accelerators
    [launch] the starting of many small operations
    [cpu] the processor
   *[storage] the disk
}
column-gain = Times
    here
miss-here-speed = it fits, but how fast is not known before maat bench has measured it
miss-here-training = how fast a processor trains is not predicted
miss-here-no-plan = there is no way to divide the job over it
fault-here-nothing-to-compute-on = Nothing of this machine could be read that computes.
hint-here-nothing-to-compute-on = Describe it: --cpu "8 cores" --ram 32GB, or --gpu.
cpu-here = No GPU is needed: the processor of this machine, { $machine }, does the job.
gpu-here = This machine has a GPU that does the job: { $machine }.
