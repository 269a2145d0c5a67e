### Messages of: validate

fault-measurements-too-large = The table of measurements is larger than { $limit }.
fault-measurements-too-many-rows = The table of measurements has more than { $most } rows.
fault-measurements-columns = The table of measurements has no column { $column }.
hint-measurements-columns = The columns are those of facts/measurements: model, hardware, metric, value and those beside them.
fault-measurements-unreadable = The measurements cannot be read: { $given }.
fault-measurements-not-written = The rows cannot be written: { $given }.
fault-measurements-empty = None of the rows can be used for calibration.
hint-measurements-empty = maat validate --data FILE --rows OUT.csv says for each row why.
fault-fit-unreadable = The table of parameters cannot be fitted: { $given }.

validate-verdict = { $predicted } of { $rows } measurements predicted: half within { $median }, { $coverage } of them in their 80% range.
validate-verdict-nothing = None of { $rows ->
    [one] one measurement
   *[other] { $rows } measurements
} can be scored.
validate-errors = Errors are factors: 11% is 1.11 times too much or too little. Half of the rows lie within the median, nine in ten within the p90. Naive: weights over bandwidth, operations over peak.
validate-heading-skipped = Not predicted
validate-all = all
validate-skip-row-unreadable = cells are missing or not text
validate-skip-value-missing = the value is not a positive number
validate-skip-metric-unknown = not a quantity that is predicted
validate-skip-model-unknown = the model has no known name and states no size
validate-skip-not-a-language-model = not a language model that writes text
validate-skip-precision-unknown = the precision is not known
validate-skip-hardware-unknown = the catalogue does not have the machine
validate-skip-software-unknown = the program is not known
validate-skip-work-unknown = batch or lengths are not stated
validate-skip-plan-unknown = how the model is divided is not stated
validate-skip-does-not-fit = the weights are larger than the accelerators
validate-skip-no-speed = rates or links of the machine are not known
validate-kind-tpot = time per token
validate-kind-ttft = first token, prompt
validate-kind-throughput = throughput
validate-kind-train = training
validate-kind-memory = memory (GB)
validate-picture = Predicted against measured
validate-axis = Across: measured, up: predicted; powers of ten of seconds
column-benchmark = Benchmark
column-metric = Metric
column-median-error = Median
column-p90-error = p90
column-coverage = In range
column-naive = Naive

assumed-calibrate = moved by own measurements in { $file }
why-calibrate = All of a measured run holds for its own model and machine, half of what several models share for others on that machine.
