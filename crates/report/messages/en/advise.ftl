### Messages of: advise

fault-model-missing = No model is given.
hint-model-missing = Give a folder with config.json, a file, a built-in id such as meta-llama/Llama-3.1-8B, or a size such as 7B.
fault-task-not-available = The task { $task } is not available yet.
hint-task-not-available = What there is: chat, batch, edge, pretrain, full, lora, qlora, dpo, ppo, grpo, tabular, database, vector-search, web and etl.
fault-task-unknown = { $given } is not a task.
hint-task-unknown = One of: { $known }.
fault-engine-unknown = { $given } is not an engine.
hint-engine-unknown = One of: { $known }.
fault-engine-version-malformed = { $given } is not an engine with a version.
hint-engine-version-malformed = Write the name and the version: vllm@0.11.
fault-engine-not-for-text = { $engine } does not run language models.
fault-count-zero = --{ $flag } is 0.
hint-count-zero = Give at least 1.
fault-count-too-large = --{ $flag } is too large.
fault-count-malformed = { $given } is not a count.
hint-count-malformed = Write a whole number, or auto.
fault-context-below-lengths = A context of { $context } tokens does not hold the { $needed } of prompt and answer.
hint-context-below-lengths = Raise --context, or lower --input and --output.
fault-no-division = There is no way to divide the model over these accelerators as asked.
hint-no-division = Leave out --tp, --pp or --replicas to have them chosen.
fault-no-machine = No number of these accelerators makes a machine.

assumed-max-ttft = first token within { $time }
assumed-max-tpot = at most { $time } per token
why-conversation = What a conversation needs to feel fluent; give the flag to change it.

miss-ttft = the first token takes { $value }, the limit is { $limit }
miss-tpot = a token takes { $value }, the limit is { $limit }
miss-power = it draws { $value }, the limit is { $limit }
miss-throughput = it writes { $value }, at least { $limit } are asked
miss-speed-unknown = its speed is not known

cpu-only = Only processors do the job within the limits: { $machine }.
cpu-misses = No processor does the job within the limits; the nearest, { $machine }, misses: { $why }.
cpu-not-tried = No processor was among what could be had.
cpu-cheaper = A processor does it for less: { $cpu } at { $cpu-hourly } an hour, against { $gpu } at { $gpu-hourly }.
gpu-cheaper = A GPU does it for less: { $gpu } at { $gpu-hourly } an hour, against { $cpu } at { $cpu-hourly }.
crossing-users = From { $value } users on that processor no longer keeps up, and a GPU pays.
crossing-gpu-hourly = Up to { $value } an hour a GPU would pay.
crossing-weights-bytes-per-token = A processor would keep up with a model of which a token reads at most { $value }.
cpu-gpu-speed = For one user the fastest GPU writes { $ratio } times as fast as the fastest processor.

finding-part-announced = { $part } is announced and cannot be had yet.
fix-part-announced = Choose a part that is sold today; what is announced is never counted as fitting.
finding-context-beyond-model = { $asked ->
    [one] 1 token is asked, and the model was made for { $most }.
   *[other] { $asked } tokens are asked, and the model was made for { $most }.
}
fix-context-beyond-model = Lower --context, or scale the positions (YaRN and its kin) and check the quality.
finding-no-growth-room = Only { $share } of the memory is left: a longer prompt or one user more may not fit.
fix-no-growth-room = Take the next size of card, or store the cache smaller with --kv-precision.
finding-quantisation-loss = Weights in { $precision } hold { $bits } bits each, which costs quality.
fix-quantisation-loss = Compare the answers on your own questions before settling on it.
finding-tp-without-fast-links = Each matrix is split over { $tp } accelerators, which are joined by { $link } ({ $rate }) only.
fix-tp-without-fast-links = Run copies beside each other where one fits, or use accelerators with fast links.
finding-tp-does-not-divide-heads = { $heads } attention heads cannot be divided over { $tp } accelerators.
fix-tp-does-not-divide-heads = Choose a --tp that divides the number of heads.
finding-part-figures-unsure = Figures of { $part } are not certain: { $what }.
finding-precision-weight-only = { $part } does not compute in { $precision }: the weights take less room, and the arithmetic is done in 16 bits.
fix-precision-weight-only = Nothing to mend; do not expect more speed where arithmetic is the limit.

advise-searched = { $fitting } of { $machines } machines do it, prices aside{ $misses ->
    [0] .
   *[other] ; these miss by the least:
}
advise-miss = { $machine }: { $why }{ $by-known ->
    [yes] {""} (by { $by })
   *[no] {""}
}
advise-next-size = The best one closer by, with its memory and speed:
column-rank = #
column-machine = Machine
column-hourly = An hour
column-per-million = Per M
    tokens
column-ttft = First
    token
column-offer = Offer

advise-best-rent = Rent { $machine } from { $provider } for { $hourly } an hour ({ $monthly } a month): { $users ->
    [one] one user
   *[other] { $users } users
}, first token after { $ttft }, then one every { $tpot } (price of { $date }).
advise-best-own = Buy { $machine } for { $purchase } ({ $hourly } an hour over its life): { $users ->
    [one] one user
   *[other] { $users } users
}, first token after { $ttft }, then one every { $tpot } (price of { $date }).
advise-no-candidate = { $machines ->
    [0] There is no machine to be had that could do it
    [one] The one machine that could be had does not do it
   *[other] None of { $machines } machines does it
} for { $model }{ $nearest ->
    [none] .
   *[other] ; the nearest, { $nearest }: { $why }.
}

assumed-kind = offers: { $kinds }
assumed-host-price = a computer around bought cards for { $price } and up
why-host-price = What an ordinary build with its processor and without accelerators costs; facts/prices/hosts.csv holds the figure.
assumed-tariff = electricity at { $price } a kWh ({ $area }, { $period })
assumed-years = a purchase spread over { $n } years, all hours used

reason-room = There is room for { $most ->
    [one] one sequence
   *[other] { $most } sequences
} at full length, and { $users ->
    [one] one is
   *[other] { $users } are
} asked.
reason-instances = { $n } of these share the users, each with a whole copy of the model.
reason-dearer-offers = { $n ->
    [one] Another offer
   *[other] { $n } other offers
} of the same cost more.

unranked-form-unknown = The offer does not say which form of the part it is.
unranked-name-unknown = The catalogue does not know a part of this name.
unranked-memory-mismatch = The stated memory does not belong to a part of this name.
unranked-undated = The price has no date.

fault-offer-kind-unknown = { $given } is not a kind of offer.
hint-offer-kind-unknown = One of: on-demand, spot, marketplace, committed, purchase.

finding-price-old = The price is { $days } days old (of { $date }).
fix-price-old = Ask the provider for today's price, or refuse old ones with --max-price-age.
finding-price-multiplied = The offer is for one accelerator; its price was multiplied by { $count }, and whether the provider has { $count } in one machine is not known.
finding-price-unsure = The price is not certain: { $what }.
fix-price-unsure = Check it with the provider.
finding-spot-can-be-taken-away = Spot machines can be taken away at any time.
finding-rent-and-own-together = Rented and bought machines stand in one list; both are priced for all { $hours } hours of a year.
finding-offers-too-old = { $n ->
    [one] One offer was
   *[other] { $n } offers were
} left out because the price is too old.
fix-offers-too-old = Allow older prices with --max-price-age.
finding-offers-without-region = { $n ->
    [one] One offer was
   *[other] { $n } offers were
} left out because the region is not stated.
fix-offers-without-region = Leave out --region to see them.
miss-hourly = it costs { $value } an hour, the limit is { $limit }
miss-total = it costs { $value } to buy, the limit is { $limit }

cpu-not-priced = Processors do the job too, but none of them has a price that may be used.
fault-memory-fraction-zero = A memory fraction of 0 leaves the engine no memory.
hint-memory-fraction-zero = Give a share above 0 and up to 1, such as 90%.
fault-experts-none = { $model } has no routed experts to keep in host memory.
hint-experts-none = Leave out --experts, or keep whole layers in host memory with --gpu-layers.
finding-offers-later = { $n ->
    [one] One offer was
   *[other] { $n } offers were
} left out because the price is of a later day than the answer.
fix-offers-later = Choose a later day with --as-of.

fault-deploy-bare-size = { $model } is only a size: there is nothing to start.
hint-deploy-bare-size = Give a model folder, a file or a built-in id.
fault-deploy-other-engine = { $target } does not start what runs on { $engine }.
hint-deploy-other-engine = Give --engine and --deploy that belong together.
fault-deploy-other-task = { $target } does not start { $task }: its scripts do not do that.
hint-deploy-other-task = --deploy megatron is for pretraining, torchrun and deepspeed for everything but ppo.
fault-deploy-offload-optimizer = FSDP cannot keep the optimiser alone in host memory.
hint-deploy-offload-optimizer = Use --deploy deepspeed, or --offload all.
fault-deploy-precision = The scripts of this program do not train in { $precision }.
hint-deploy-precision = Use --precision bf16, or --deploy megatron for FP8.
fault-deploy-optimizer = The scripts of this program have no { $optimizer }.
hint-deploy-optimizer = Use --optimizer adamw, or another --deploy.
fault-deploy-megatron-shape = Megatron-LM's flags do not describe models of the family { $family }, or not all layers of this one are alike.
hint-deploy-megatron-shape = Use --deploy torchrun or deepspeed.
fault-deploy-no-image = No container image of { $program } is known for { $maker }.
hint-deploy-no-image = Start it without a container, with --deploy vllm, sglang or llamacpp.
deploy-start = Start it with { $program }:
deploy-confirm-pool-vllm = The log should say about "GPU KV cache size: { $tokens } tokens".
deploy-confirm-pool-sglang = The log should say about "max_total_num_tokens={ $tokens }".
deploy-confirm-pool-llamacpp = The log lists the cache as "KV buffer size"; it should hold { $tokens } tokens.
deploy-confirm-first-node = Run it on each of { $nodes } nodes, with the name of the first in place of FIRST_NODE (DeepSpeed: on one node, with the names in hostfile).
deploy-confirm-dataset = Put the name or the folder of your data set in place of DATASET.
deploy-confirm-reward = Put the name of a reward function in place of REWARD.
deploy-confirm-selective = This script computes all activations again or none; with FlashAttention, those of the attention core are computed again anyhow.
deploy-confirm-megatron-data = Put the prefix of data that tools/preprocess_data.py wrote in place of DATASET.
deploy-confirm-rotary-base = Add --rotary-base with rope_theta of the model's config.json.
deploy-confirm-megatron-log = The log's lines "elapsed time per iteration (ms)" and "throughput per GPU (TFLOP/s/GPU)" tell whether it runs as planned.
deploy-confirm-train-memory = nvidia-smi should show { $low } to { $high } in use on each accelerator after a few steps.
deploy-confirm-step = Expect { $low } to { $high } for a step.
deploy-confirm-train-throughput = Expect { $low } to { $high } trained tokens per second in all.
deploy-confirm-nodes = Run it on each of { $nodes } nodes, with its number from 0 in place of NODE_RANK and the first one's name in place of FIRST_NODE.
deploy-confirm-headless = Add { $flag } on every node but the first.
deploy-confirm-latency = Expect a first token after about { $ttft }, and { $low } to { $high } for each further one.
deploy-confirm-throughput = Expect { $low } to { $high } tokens per second in all.

### Work without a neural network

task-tabular = Tabular learning
task-etl = The pipeline
task-database = The database
task-vector-search = Vector search
task-web = The web server
fault-data-missing = The task { $task } needs --{ $flag }.
hint-data-missing = For example: --rows 10M, --vectors 5M.
fault-data-machine-missing = No machine is given for { $task }.
hint-data-machine-missing = Give --gpu or --cpu, or ask maat advise for one.
fault-data-speed-unknown = The speed of { $machine } at { $task } is not known.
hint-data-speed-unknown = Give --cpu with a processor of the catalogue, or with its cores such as "16 cores".
assumed-learner = gradient-boosted trees
assumed-trees = { $n ->
    [one] 1 tree
   *[other] { $n } trees
}
assumed-columns = { $n ->
    [one] 1 column
   *[other] { $n } columns
}
assumed-rows = { $n ->
    [one] 1 row
   *[other] { $n } rows
}
assumed-dim = { $n } dimensions
assumed-index = a graph index (HNSW)
assumed-queries = { $n } a second
finding-flags-not-used = { $task } does not use { $flags }.
miss-data-memory = it needs { $need } of memory, and data may fill { $room }
miss-data-rate = it does { $rate } a second at most
advise-no-candidate-data = Nothing does it within the limits: { $machines } machines were looked at. { $nearest ->
    [none] { "" }
   *[other] The nearest is { $nearest }: { $why }.
}
advise-data-cpu-job = A processor is enough: { $task } takes about { $time } on { $machine }, at { $hourly } an hour ({ $basis ->
    [own] bought
   *[rent] rented
}).
advise-data-gpu-job = A GPU pays: { $task } takes about { $time } on { $machine }, at { $hourly } an hour ({ $basis ->
    [own] bought
   *[rent] rented
}).
advise-data-cpu-service = A processor is enough: { $machine } does about { $rate } a second, at { $hourly } an hour ({ $basis ->
    [own] bought
   *[rent] rented
}).
advise-data-gpu-service = A GPU pays: { $machine } does about { $rate } a second, at { $hourly } an hour ({ $basis ->
    [own] bought
   *[rent] rented
}).
size-data-job = { $machine } takes about { $time } for one run.
size-data-service = { $machine } does about { $rate } a second{ $machines ->
    [one] { "." }
   *[other] ; { $machines } of them do what is asked.
}
size-data-does-not-fit = { $machine } does not hold it: { $why }.
data-times = { $cpu } takes { $cpu-time }, { $gpu } takes { $gpu-time }.
data-rates = { $cpu } answers { $cpu-rate } a second, { $gpu } answers { $gpu-rate }.
data-crossing-rows = From about { $value } rows a GPU pays, everything else being equal.
data-crossing-queries = From about { $value } queries a second a GPU pays, everything else being equal.
data-crossing-scans-per-load = Analytical scans alone are another matter: a table that stays in GPU memory has paid after about { $value } of them.
data-crossing-never = A GPU pays at no size of this work.
data-setup = On the GPU { $setup } pass before the work begins and { $transfer } go into bringing the data there, of { $whole } in all.
data-parallel = { $share } of the work runs at once: { $cores } cores are { $gain } times as fast as one, and no number of cores more than { $most } times (Amdahl).
data-web-branches = Requests are short, independent and full of branches: cores and memory serve them, a GPU has nothing to compute.
data-database-branches = Transactions follow branches and indexes to a few rows each: they wait for memory, locks and disks, which a GPU does not speed up.
data-database-transfer = Scanning { $bytes } takes a processor { $scan }; bringing it to a GPU takes { $transfer } first.
data-no-gpu-holds = No GPU that can be had holds the data.
data-no-cpu-holds = No processor that can be had does it within the limits.
data-exception-trees = Large ensembles of trees are the known exception among tabular work: histograms of millions of rows are bound by memory bandwidth, of which a GPU has more.
data-exception-frames = Data frames of this size are a known exception: joins and groupings are bound by memory bandwidth, of which a GPU has more.
data-exception-graph = Search over vectors is a known exception: each query visits many vectors, and a GPU answers thousands at once.
data-exception-vectors = Search over vectors is a known exception: comparing is a matrix product.
data-memory-cpu = It takes { $bytes } of memory and { $disk } of disk.
data-memory-gpu = It takes { $bytes } of GPU memory and { $disk } of disk.
data-bound-memory = Memory bandwidth holds it back.
data-bound-storage = Reading the files holds it back.
data-bound-setup = Starting the GPU takes longer than the work.
data-bound-transfer = Bringing the data to the GPU holds it back.
data-bound-compute = Arithmetic and branches of the cores hold it back.
column-items = Per second
figure-items = Items per second
figure-item = One item

### The whole server

server-part-accelerator-memory = accelerator memory
server-part-accelerator-time = time within the limits
server-part-accelerator-compute = arithmetic of the accelerators
server-part-accelerator-bandwidth = memory bandwidth
server-part-cpu-cores = processor cores
server-part-host-ram = host memory
server-part-accelerator-links = links between the accelerators
server-part-pcie-lanes = PCIe lanes
server-part-card-slots = card slots
server-part-storage-capacity = room on the disks
server-part-storage-read = reading from the disks
server-part-network = network between nodes
server-part-power-supply = the power supplies
server-part-power-feed = power and cooling of the place
server-limiting = Of the whole server, { $part } is the scarcest: { $share } of it is left{ $next-known ->
    [no] { "." }
    [short] ; next, { $next } falls short, with { $next-times } times as much asked.
   *[yes] ; next comes { $next } with { $next-share }.
}
server-flat-out = Of the whole server, { $part } sets the pace{ $next-known ->
    [no] { "." }
    [short] ; next, { $next } falls short, with { $next-times } times as much asked.
   *[yes] ; next comes { $next }, with { $next-share } left.
}
server-short = Of the whole server this falls short: { $part }, of which { $times } times as much is asked as there is{ $next-known ->
    [no] { "." }
    [short] ; next { $next }, { $next-times } times.
   *[yes] ; next comes { $next }, with { $next-share } left.
}
server-until = At this growth it will do until { $until }: it carries { $times } times today's load.
finding-vram-too-small = The job needs { $need } of accelerator memory, and there is { $have }.
fix-vram-too-small = Take larger or more accelerators, a smaller precision, or less context.
finding-psu-too-small = The node takes up to { $most }, with peaks of { $peak } for milliseconds; the supplies give { $supply }.
fix-psu-too-small = Take supplies of { $wanted } or more (ATX 3.0 or later for the peaks), or set --power-limit.
finding-psu-rail-limit = { $card } takes { $watts }; a supply with several 12 V rails may switch off at about { $limit } on one of them, whatever it gives in all.
fix-psu-rail-limit = Feed the card from two rails, or use a supply with a single rail.
finding-power-and-cooling = The node takes up to { $most } and gives all of it off as heat ({ $heat } BTU/h); { $kind ->
    [socket] a socket of 230 V and 16 A gives { $feed } without end
   *[rack] a rack that air cools usually gives { $feed }
}.
fix-power-and-cooling = Ask the place for its kilowatts a rack and how it cools, spread nodes over circuits or racks, or set --power-limit.
finding-cards-heat-each-other = { $count } wide cards of over 350 W in one case blow their heat at each other and throttle.
fix-cards-heat-each-other = Use cards that blow out of the case, an open frame with risers, fewer cards, or --power-limit.
finding-storage-too-small = The files take { $files }, and twice that while they are replaced; the disks hold { $have }.
fix-storage-too-small = Plan { $need } and more: versions, caches of downloads and data sets come on top.
finding-storage-too-slow = { $why ->
    [rate] The work reads { $need }, and the storage gives { $have }.
   *[load] Reading the model takes { $time } at { $have }: every restart waits for it.
}
fix-storage-too-slow = Keep the files on a local NVMe drive.
finding-pcie-lanes-short = Cards, drives and adapters use { $need } PCIe lanes at full width; the processors have { $have }.
fix-pcie-lanes-short = Run cards at x8 where their exchange is small, or take a workstation or server processor.
finding-no-free-slots = The cards take { $need } of { $have } slots: there is no room for another.
fix-no-free-slots = Take a board and a case with more slots, or larger cards, if the load is to grow.
finding-cpu-cores-short = Feeding the accelerators takes { $need ->
    [one] 1 core
   *[other] { $need } cores
}; there { $have ->
    [one] is 1
   *[other] are { $have }
}.
fix-cpu-cores-short = Take a processor with more cores, or a larger instance.
finding-network-too-slow = A node sends { $need } Gb/s to keep the exchange behind the work; its network gives { $have } Gb/s.
fix-network-too-slow = Take a faster network, accumulate more micro-batches, or keep ZeRO-3 within a node.
finding-software-left-behind = { $part } is left behind by its software{ $last ->
    [none] { ": it was never supported officially." }
   *[other] : { $last } is the last that supports it{ $driver ->
        [none] { "." }
       *[other] , with driver branch { $driver }.
    }
}
fix-software-left-behind = Pin framework builds that still support it, and do not buy it for work of years.
finding-numa-several-sockets = Each of { $sockets } sockets has memory of its own; what lies at another is reached more slowly.
fix-numa-several-sockets = Spread the memory (numactl --interleave=all, llama.cpp --numa distribute), or run one copy on each socket.
finding-growth-outruns-machine = At this growth the machine is full on { $until }: it carries { $times } times today's load.
fix-growth-outruns-machine = Choose a machine with more room, or one to which cards or nodes can be added.
finding-waiting-for-part = { $part } is announced and cannot be had yet{ $instead ->
    [none] { "." }
   *[other] ; { $instead } does the job today.
}
fix-waiting-for-part = Rent or buy what does the job today: something better is always announced.
server-slack-label = What is left of the server's parts
column-left = Left
column-needed = Needed
column-there = There
compare-replicas = For { $users ->
    [one] 1 user
   *[other] { $users } users
}, copies { $first } write { $first-rate } in all and { $first-tpot } a token, one split { $second } writes { $second-rate } and { $second-tpot } a token.
compare-slices = { $fits ->
    [both] { $first } together write { $first-rate }, { $second } with the same { $users } users { $second-rate }: slices keep users apart, the whole card lends each what the others leave.
    [first] { $first } do it; { $second } does not with { $users } users.
    [second] A slice does not hold it; { $second } does, and writes { $second-rate }.
   *[none] Neither a slice nor { $second } holds it.
}
compare-mixed = { $fits ->
    [both] { $first } write { $first-rate }; { $second } alone writes { $second-rate }.
    [first] Only { $first } together hold it.
    [second] { $second } alone does it, and writes { $second-rate }.
   *[none] Neither { $first } nor { $second } alone holds it.
}
compare-power = At { $limit } instead of { $full } it writes { $slower } less and draws up to { $less } less.
compare-workstation = On one's own floor { $first } costs { $first-hourly } an hour and writes { $first-rate }; in a data centre { $second } costs { $second-hourly } and writes { $second-rate }.
finding-cpu-without-matrix-units = The processor computes with { $simd } and has no matrix units (AMX): reading prompts is bound by its vectors{ $gain ->
    [one] { "." }
   *[other] , which are { $gain } times as fast in BF16 as in FP32.
}
fix-cpu-without-matrix-units = For long prompts take a processor with AMX (Xeon of the fourth generation on); writing tokens hangs on memory bandwidth alone.
finding-memory-channels-filled = The figures take every memory channel as filled: { $channels } of { $memory } on { $sockets ->
    [one] 1 socket
   *[other] each of { $sockets } sockets
}, { $rate } in all. With half of them empty, tokens come half as fast.
fix-memory-channels-filled = Look at which slots hold a module, or give --cpu-bandwidth as measured (maat bench).
