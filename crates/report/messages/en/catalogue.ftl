### Messages of: catalogue

# Names
fault-accelerator-unknown = There is no accelerator { $name } in the catalogue.
hint-accelerator-unknown = Names like it: { $nearest }. A part of your own: --gpu-like "RTX 3080" --vram 20GB.
fault-cpu-unknown = There is no processor { $name } in the catalogue.
hint-cpu-unknown = Names like it: { $nearest }. Or give --cpu "8 cores" --cpu-bandwidth 50GB/s.
fault-part-unknown = There is no accelerator, processor or server { $name } in the catalogue.
fault-vendor-unknown = There is no maker { $given } in the catalogue.
hint-vendor-unknown = Known are { $known }.

# Hardware of a request
fault-gpu-empty = --gpu names no part.
hint-gpu-empty = Write a name, such as --gpu "2x RTX 4090".
fault-gpu-count = { $given } is not a number of parts.
hint-gpu-count = Write 8x NAME, or ?x NAME for the smallest number that fits.
fault-gpu-open-and-mixed = The number of parts can be left open (?x) only when all are of one kind.
fault-gpu-like-missing = { $flag } needs a part that yours is like.
hint-gpu-like-missing = Add --gpu-like "RTX 3080", or any other name of the catalogue.
fault-hardware-amount-zero = { $flag } must be above 0.
fault-tflops-no-base = The part of --gpu-like has no 16-bit rate that --tflops could scale.
fault-slices-none = { $part } cannot be cut into slices such as { $profile }.
fault-slice-unknown = { $part } has no slice { $profile }.
hint-slice-unknown = It has { $profiles }.
fault-here-not-looked = Nobody has looked at this machine.
hint-here-not-looked = Use --here on the command line, or name the parts, such as --gpu "2x RTX 4090" --ram 64GB.
fault-cpu-sockets = { $cpu } works in machines of at most { $most } { $most ->
    [one] socket
   *[other] sockets
}.
fault-cpu-missing = { $flag } needs to know the processors.
hint-cpu-missing = Add --cpu "2x Xeon Platinum 8592+" or --cpu "8 cores".
fault-cpu-clock-unknown = The clock of { $cpu } is not published.
hint-cpu-clock-unknown = Give the number of cores instead, such as --cpu "96 cores".
fault-threads-zero = --threads must be at least 1.
fault-storage-unknown = { $given } is no kind of storage.
hint-storage-unknown = Use nvme, ssd, hdd, network, or a rate such as 3GB/s.
fault-link-unavailable = { $machine } has no link { $link }.
hint-link-unavailable = Use auto, nvlink where the parts have it, a width such as pcie5x16, or a rate such as 50GB/s.
fault-network-unknown = { $given } is not a network.
hint-network-unknown = Write ports and rate, such as 8x400Gb or 40GbE.
fault-power-limit-range = { $part } can be limited to between { $low } and { $high } only.
fault-power-limit-above = { $part } takes at most { $high }, so a higher limit does nothing.
assumed-part = { $given } read as { $part }
assumed-link = linked by { $link }
assumed-devices = { $part } counts as { $n } accelerators
assumed-vram = { $bytes } of memory
assumed-ram = { $bytes } of host memory
assumed-tflops = TFLOP/s of { $number } with { $accumulate } accumulation
assumed-usual-cores = cores with AVX2 at { $ghz } GHz
why-label = GB on a memory part means 2^30 bytes.
why-link-own = The link that the parts have by themselves.
why-link-bridge = { $bridge } is bought apart; with it: --link nvlink.
why-devices = The machine reports its chips as devices of their own.
why-tflops = The known 16-bit rate that is nearest to it.
why-usual-cores = Nothing else is known of them.

# Verbs
verdict-list-accelerators = { $n ->
    [0] No accelerator is like that.
    [one] One accelerator.
   *[other] { $n } accelerators.
}
verdict-list-cpus = { $n ->
    [0] No processor is like that.
    [one] One processor.
   *[other] { $n } processors.
}
verdict-list-servers = { $n ->
    [0] No server is like that.
    [one] One server.
   *[other] { $n } servers and instances.
}
verdict-show = { $name }: what is known, with its sources.
verdict-compare-leader = { $name } wins { $n ->
    [one] one figure
   *[other] { $n } figures
}: { $metrics }.
verdict-compare-even = No part wins more figures than the others.
verdict-offers = { $n ->
    [one] One offer
   *[other] { $n } offers
}; the cheapest is { $part } at { $provider } for { $price } an hour for each accelerator.
verdict-offers-none = No offer is like that.
verdict-lint = { $errors ->
    [0] No errors
    [one] One error
   *[other] { $errors } errors
} and { $warnings ->
    [0] no warnings
    [one] one warning
   *[other] { $warnings } warnings
} in the facts.
verdict-lint-clean = The facts are sound{ $infos ->
    [0] .
    [one] ; one remark.
   *[other] ; { $infos } remarks.
}
verdict-export = { $n ->
    [one] One file of facts.
   *[other] { $n } files of facts.
}
fault-compare-count = Compare takes two to { $most } names.
hint-compare-count = For example: maat catalogue compare H100 MI300X.
fault-facts-path-unknown = There is no file or folder { $path } among the facts.
hint-facts-path-unknown = The folders are hardware, offers, prices, electricity and carbon.

# Figures that are compared
metric-capacity-bytes = memory
metric-bandwidth-bytes-per-s = memory bandwidth
metric-fp64-flop-per-s = FP64
metric-fp32-flop-per-s = FP32
metric-tf32-flop-per-s = TF32
metric-fp16-flop-per-s = FP16
metric-bf16-flop-per-s = BF16
metric-fp8-flop-per-s = FP8
metric-fp4-flop-per-s = FP4
metric-int8-op-per-s = INT8
metric-cache-bytes = cache
metric-peer-link-bytes-per-s = link to peers
metric-pcie-bytes-per-s = PCIe
metric-power-w = power
metric-bf16-flop-per-j = BF16 per joule
metric-bandwidth-bytes-per-j = bandwidth per watt
metric-rent-hourly = rent of an hour
metric-purchase = purchase

# Why an offer is not ranked
unranked-average = The price is a mean over offers.
unranked-announced = The part cannot be had yet.

# Files of facts
fault-facts-folder-unreadable = This is not a folder that can be read.
hint-facts-folder-unreadable = Give a folder with the layout of facts/, such as offers/own.csv in it.
fault-facts-folder-empty = There are no facts in this folder.
hint-facts-folder-empty = It needs folders such as offers, hardware or prices with CSV files.
fault-facts-file-unreadable = This file cannot be read.
fault-facts-file-too-large = This file is too large for facts.
fault-facts-file-not-text = This file is not text in UTF-8.
fault-facts-too-many-files = There are too many files in this folder.
fault-facts-column-missing = The column { $column } is missing.
fault-facts-row-uneven = The row has { $found } fields, its header { $expected }.
fault-facts-value-not-positive = { $field } is { $value } and must be above 0.
fault-facts-value-bad = { $value } makes no sense as { $field }.
fault-facts-field-empty = The field { $field } is empty.

# Findings of the lint
finding-facts-unreadable = A row cannot be read: { $what }
finding-identifier-twice = The identifier stands there twice.
finding-part-not-there = A row speaks of a part that is not there.
finding-source-not-listed = The source is not in the list of sources.
finding-alias-clash = The name { $name } means several parts and none, or more than one, is preferred.
finding-rate-does-not-follow = { $figure } is { $off } off what multiprocessors, operations per clock and clock give.
finding-bandwidth-does-not-follow = The { $figure } is { $off } off what bus width and data rate give.
finding-memory-not-of-label = The driver reports { $reported }, the label says { $label }.
finding-slices-exceed-part = All slices of this profile together are more than the part.
finding-value-impossible = No part has such a { $figure }.
finding-released-ahead = It is not marked as announced, but its release lies ahead.
finding-claims-contradict = Another source has { $figure } { $off } away from the figure that is used.
finding-claims-two-preferred = Two claims of one figure are preferred.
finding-spot-above-on-demand = Spot costs { $spot } and on-demand only { $on-demand }.
finding-offer-memory-mismatch = No part with the name { $accelerator } has the memory that the offer states.
finding-offer-twice = The offer stands there twice.
finding-offer-price-inconsistent = The price of one accelerator is not the price over the number.
finding-price-without-date = { $n ->
    [one] One price has no date
   *[other] { $n } prices have no date
}; without one it is never ranked.
finding-price-without-source = { $n ->
    [one] One price has no source.
   *[other] { $n } prices have no source.
}
finding-prices-old = { $n ->
    [one] One price is older than { $days } days.
   *[other] { $n } prices are older than { $days } days.
}
finding-prices-too-old = { $n ->
    [one] One offer was left out because its price is too old.
   *[other] { $n } offers were left out because their prices are too old.
}
finding-offer-not-ranked = { $n ->
    [one] One offer is listed apart: part, form or day of its price is not known.
   *[other] { $n } offers are listed apart: part, form or day of their price is not known.
}

# Pages
list-more = … and { $n } more; --explain lists all, --format csv and --json have them too.
list-not-known = Not known of: { $names }.
list-next-show = All that is known of the first:
offers-next-show = All that is known of the cheapest:
offers-apart-label = Not ranked:
offers-apart = { $accelerator } at { $provider }: { $why }
compare-legend = * the best, or as good as the best
compare-next-size = Does a model fit on it, and how fast:
export-next-one = One file as it is, to change and lay over with --facts:
state-announced = announced
show-rate = { $number } dense, sum in { $accumulate }
show-unsure = Not certain: { $what }
show-other-rate = { $number }: { $source } has { $rate }; not used: { $why }
show-other-claim = { $figure }: { $source } has { $value }; not used: { $why }
show-vendor = Maker
show-architecture = Architecture
show-form = Form
show-released = Released
show-memory-label-bytes = Memory, label
show-capacity-bytes = Memory, as the driver says
show-memory-type = Kind of memory
show-bandwidth-bytes-per-s = Memory bandwidth
show-power-w = Power
show-peer-link-bytes-per-s = Link to peers
show-pcie-bytes-per-s = PCIe, one direction
show-mig = Slices
show-names = Also known as
show-generation = Generation
show-cores = Cores
show-threads = Threads
show-clock-hz = Clock, all cores
show-simd = Instructions
show-memory-channels = Memory channels
show-max-sockets = Most sockets
show-unsure-label = Not certain
show-kind = Kind
show-accelerators = Accelerators
show-link = Link
show-cpu = Processors
show-ram-bytes = Memory
show-storage = Storage
show-network = Network
show-power-supply = Power supplies
show-max-power-w = Power at full load
show-cooling = Cooling
column-name = Name
column-memory = Memory
column-bandwidth = Bandwidth
column-bf16 = BF16
    TFLOP/s
column-fp8 = FP8
    TFLOP/s
column-power = Power
column-state-of-sale = Note
column-cores = Cores
column-simd = Instructions
column-accelerators = Accelerators
column-accelerator = Accelerator
column-provider = Provider
column-count = Count
column-hourly-each = Hour,
    each
column-kind = Kind
column-region = Region
column-price-date = Price of
column-value = Value
column-source = Source
column-purchase = To buy
column-price = Price
column-table = Table
column-rows = Rows
column-file = File
basis-measured = measured
basis-vendor = vendor

kind-on-demand = on-demand
kind-spot = spot
kind-marketplace = marketplace
kind-committed = committed
kind-purchase = purchase
kind-list = list
kind-launch-list = launch list
kind-reseller-list = reseller list
kind-1ku-list = list, per 1,000
kind-msrp = MSRP
kind-hub-page-msrp = MSRP (vendor's page)
kind-street = street
kind-used-street = used street
kind-analyst-estimate = analyst estimate
kind-press-estimate = press estimate

verdict-history = { $unit ->
    [hour] An hour of
   *[piece] One
} { $part } ({ $kind }) cost { $last } in { $to } (the middle of { $m }), and { $first } in { $from } (of { $n }).
verdict-history-once = { $unit ->
    [hour] An hour of
   *[piece] One
} { $part } ({ $kind }) cost { $last } in { $to }; earlier prices are not known.
verdict-history-none = No dated prices of { $part } are known.
history-kind-on-demand = on demand
history-kind-spot = spot
history-kind-marketplace = marketplace
history-kind-committed = with a commitment
history-kind-average = means and indexes
history-kind-street = street price
history-kind-used-street = second hand
history-kind-launch-list = list price at launch
history-kind-other = { $kind }
history-heading-rent = Renting one for an hour, { $kind }: by month, of each provider its cheapest
history-heading-purchase = Buying one, { $kind }: by quarter
history-more = { $n ->
    [one] One earlier period is
   *[other] { $n } earlier periods are
} shown with --explain.
history-change-up = { $n ->
    [one] The one provider
   *[other] The { $n } providers
} with prices at least 90 days apart asked { $change } more after { $months } months (the middle one); newcomers do not move this.
history-change-down = { $n ->
    [one] The one provider
   *[other] The { $n } providers
} with prices at least 90 days apart asked { $change } less after { $months } months (the middle one); newcomers do not move this.
history-brief-rent = Renting one for an hour, { $kind }: { $price } in { $period } ({ $n ->
    [one] one price
   *[other] the middle of { $n } prices
}){ $periods ->
    [one] {""}
   *[other] ; { $periods } periods are shown with --explain
}.
history-brief-purchase = Buying one, { $kind }: { $price } in { $period } ({ $n ->
    [one] one price
   *[other] the middle of { $n } prices
}){ $periods ->
    [one] {""}
   *[other] ; { $periods } periods are shown with --explain
}.
history-next-path = Rent or buy, if the rent goes on like that:
history-picture-rent = Price of an hour over time
history-picture-purchase = Purchase price over time
column-period = Period
column-history-bar = Low to high, median filled
column-median = Median
column-prices = Prices
finding-history-form-unstated = { $n ->
    [one] One price of the past does
   *[other] { $n } prices of the past do
} not say which form they are of, and count here.
finding-history-unreadable = This folder of kept prices cannot be read; its prices are left out.
