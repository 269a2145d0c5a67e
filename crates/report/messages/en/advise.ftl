### Messages of: advise

fault-model-missing = No model is given.
hint-model-missing = Give a folder with config.json, a file, a built-in id such as meta-llama/Llama-3.1-8B, or a size such as 7B.
fault-task-not-available = The task { $task } is not available yet.
hint-task-not-available = What there is: chat, batch and edge.
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
cpu-gpu-speed = For one user the fastest GPU writes { $ratio } times as fast as the fastest processor.

finding-part-announced = { $part } is announced and cannot be had yet.
fix-part-announced = Choose a part that is sold today; what is announced is never counted as fitting.
finding-context-beyond-model = { $asked } tokens are asked, and the model was made for { $most }.
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

advise-searched = { $fitting } of { $machines } machines do it within the limits{ $misses ->
    [0] .
   *[other] ; these miss by the least:
}
advise-miss = { $machine }: { $why }
advise-next-size = The best one closer by, with its memory and speed:
column-rank = #
column-machine = Machine
column-hourly = An hour
column-per-million = Per M tokens
column-ttft = First token
column-offer = Offer
