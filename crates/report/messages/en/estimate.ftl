### Messages of: estimate

# Why something does not fit: clauses that follow "Does not fit on …:" and stand alone in an answer's limit.
limit-announced = { $part } is only announced
limit-engine = { $engine } does not support { $part }
limit-precision = { $engine } does not run { $precision } on { $part }
limit-devices = the plan asks for { $needed } accelerators and there are { $devices }
limit-stages = { $layers } layers cannot be divided into { $pp } pipeline stages so
limit-experts = { $experts } experts cannot be divided over { $ep } ranks
limit-heads = { $heads } heads cannot be divided over { $tp } accelerators
limit-width = the matrix { $weight } cannot be divided over { $tp } accelerators
limit-fixed = weights and workspace need { $need } where the engine takes { $have }, { $short } too little
limit-weights = the weights alone need { $need } where there is { $have }, { $short } too little
limit-total = { $need } is needed where there is { $have }, { $short } too little
limit-kv-one-sequence = one sequence needs { $need } of cache where { $have } is left, { $short } too little
limit-sequences = the engine runs at most { $most } sequences at once, not { $users }
limit-kv-users = { $users ->
    [one] one user needs
   *[other] { $users } users need
} { $need } of cache where { $have } is left, { $short } too little
limit-host = host memory must hold { $need } and there is { $have }, { $short } too little
fault-engine-table = The built-in facts of engines cannot be read: { $what }. This is a fault of maat.
