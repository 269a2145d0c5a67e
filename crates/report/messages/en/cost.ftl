### Messages of: cost

fault-amount-negative = { $given } is below zero.
hint-amount-negative = Give zero or more.
fault-number-malformed = { $given } is not a plain number.
hint-number-malformed = Write a number such as 3 or 2.5.
fault-price-malformed = { $given } is not an amount of money.
hint-price-malformed = Write 260000, 2.90/h or EUR 0.25/kWh, without thousands signs.
fault-price-unit = { $given } is for a unit that is not known.
hint-price-unit = Units are /h, /month, /y, /kWh, /kW-month, /M (a million tokens), /GB and /GB-month.
fault-price-unit-wrong = { $given } is for another unit than this flag asks for.
hint-price-unit-wrong = Give the amount { $expected ->
    [none] without a unit
   *[other] { $expected }
}.
fault-price-zero = { $flag } is zero.
hint-price-zero = Give an amount above zero; leave the flag out to take the catalogue's.
fault-rate-malformed = { $given } is not a share a year.
hint-rate-malformed = Write 12%/y, -5%/y or 0.08.
fault-rate-out-of-range = { $given } is no share a year that makes sense.
hint-rate-out-of-range = Write percent with its sign: 8%; more than -100% and at most 1,000%.
fault-loan-malformed = { $given } is not a loan.
hint-loan-malformed = Write the interest a year and the term: 8%:36m or 6%:3y.
fault-cost-default-missing = The facts have no default for { $name }.
fault-no-exchange-rate = There is no exchange rate.
hint-no-exchange-rate = Give the euros for one dollar with --fx.
fault-tariff-unknown = No tariff is known for { $area } in band { $band }.
hint-tariff-unknown = Bands that are known there: { $known }. Or give a price: --tariff 0.20.
fault-count-open = An open count has no price.
hint-count-open = Give the number of accelerators: "8x H100 SXM".
fault-money-too-large = The amounts are too large to be added up.
fault-hours-of-month = A month does not have { $given } hours.
hint-hours-of-month = Give 600 to 800; the usual figures are 730 and 720.
fault-use-out-of-range = A use of { $given } percent cannot be.
hint-use-out-of-range = Give more than 0% and at most 100% of all hours.
fault-years-out-of-range = { $given } years cannot be compared.
hint-years-out-of-range = Give more than 0 and at most 50.
fault-pue-out-of-range = A power usage effectiveness of { $given } cannot be.
hint-pue-out-of-range = Give 1.0 (no cooling beside the machine) to 5.
fault-rent-missing = No rent is given and the catalogue has no fresh offer.
hint-rent-missing = Give --rent 2.90/h for an accelerator, or --rent-total for the whole machine.
fault-purchase-missing = No purchase price is given and the catalogue has none.
hint-purchase-missing = Give --buy for the whole machine, or --buy-each for an accelerator.
fault-session-missing = --minimum-billing needs the usual length of a session.
hint-session-missing = Add it: --session 20m.
fault-session-zero = A session of no length cannot be billed.
fault-interruptions-too-many = Interruptions are so frequent that no work is left.
hint-interruptions-too-many = Lower --interruptions, --checkpoint-every or --restart.
fault-advise-answer-unreadable = This is no answer of maat advise --json: { $given }.
hint-advise-answer-unreadable = Write one: maat advise MODEL --json > answer.json
fault-advise-answer-empty = The answer of maat advise has no candidate.
fault-power-zero = --power is zero.
fault-power-missing = No power is known.
hint-power-missing = Give --power 1000W, or --gpu with a part whose power is known.

assumed-cost-utilisation = { $value } of all hours used
assumed-cost-years = { $value } years
assumed-cost-pue = PUE { $value }
assumed-cost-work-share = it draws { $value } of its most at work
assumed-cost-idle-share = { $value } of its most when idle
assumed-cost-host-share = the host draws { $value } of what the accelerators do
assumed-cost-residual-decline = it loses { $value } of its worth a year
assumed-cost-discount = later money counts { $value } less a year
assumed-cost-maintenance = upkeep { $value } of the purchase a year
assumed-cost-failures = { $value } of the purchase replaced a year
assumed-cost-staff = { $value } of a person looks after it
assumed-cost-staff-group = people for each { $value } servers begun
assumed-cost-staff-cost = a person costs { $value } a year
assumed-cost-colo = space at { $value } a kW and month
assumed-cost-network = network and racks { $value } of the servers
assumed-cost-storage-price = storage at { $value } a GB and month
assumed-cost-egress-price = traffic out at { $value } a GB
assumed-cost-fx = { $rate } EUR for 1 USD ({ $date })
assumed-cost-power = at most { $power } ({ $server })
assumed-cost-buy-server = bought for { $price } ({ $server }, { $date })
assumed-cost-buy-parts = bought for { $price } ({ $part } at { $each }, a computer around it { $host }; { $date })
assumed-cost-rent = { $price } an accelerator and hour, the middle of { $n ->
    [one] one provider
   *[other] { $n } providers
} ({ $kind })
assumed-cost-bare = nothing but what was given
assumed-cost-running-cost = nothing beside the flat running cost
assumed-cost-no-power = energy and space are not counted
assumed-cost-rent-path = the rent stays as it is
assumed-cost-checkpoint-every = a checkpoint every hour
assumed-cost-all-hours = it works all hours
assumed-cost-no-idle = idle power not counted
assumed-cost-limit = { $power }, the limit of the accelerators
assumed-cost-basis = dense 16-bit rates, summed in FP32

why-cost-default = { $source } ({ $date }); facts/prices/cost_defaults.csv holds the figure.
why-cost-default-unsure = { $source } ({ $date }; not certain: { $unsure }); facts/prices/cost_defaults.csv holds the figure.
why-cost-fx = { $source }: { $unsure }. Give --fx for the rate of the day.
why-cost-tariff = Band { $band }, { $consumer }; { $taxes }. Source: { $source }.
why-cost-power-server = The largest power of a server of these accelerators: { $source }.
why-cost-buy = The newest price in the catalogue ({ $kind }): { $source }. Give --buy for a seller's quote.
why-cost-rent = Half of them ask between { $low } and { $high }; seen from { $from } to { $to }. Give --rent for an offer of your own.
why-cost-asked = The request says so.
why-cost-no-power = No power of this machine is known; give --power to count them.
why-cost-rent-path = Nobody knows where rents go: they fell until 2025 and rose in 2026. Give --rent-path to see what it does.
why-cost-no-idle = No idle power is given; add --idle-power to count the hours that it waits.
why-cost-no-cooling = Nothing is known of the place; add --pue for its cooling.
why-cost-limit = The accelerators alone, at their power limit, without the computer around them; give --power for what a meter shows.
why-cost-basis = Like is compared with like: sparse rates and sums in FP16 are not what training and most inference use.

cost-why-even = Owning costs { $owed } beyond its running cost (purchase and financing, less what it is worth at the end); each month saves { $saved } against renting.
cost-why-not-at-this-use = At { $use } use a month of renting saves nothing against running one's own ({ $saved }), so the { $owed } of owning are not earned back.
cost-why-never = Running one's own costs as much as renting at any use ({ $saved } saved a month), so the { $owed } of owning are never earned back.

cost-verdict-rent = Renting is cheaper below { $even } use: over { $years } years at { $use } it costs { $rent }, owning { $own }.
cost-verdict-own = Owning is cheaper above { $even } use: over { $years } years at { $use } it costs { $own }, renting { $rent }.
cost-verdict-rent-full = Renting is cheaper even at full use (owning would need { $even }): over { $years } years at { $use } use it costs { $rent }, owning { $own }.
cost-verdict-rent-always = Renting is cheaper at any use: over { $years } years at { $use } use it costs { $rent }, owning { $own }.
cost-verdict-own-always = Owning is cheaper at any use: over { $years } years at { $use } use it costs { $own }, renting { $rent }.
cost-verdict-even = Renting and owning cost the same within 2%: over { $years } years at { $use } use { $rent } and { $own }.
cost-verdict-electricity = Electricity costs { $year } a year ({ $kwh } kWh at { $use } use), { $hour } for an hour of use.
cost-verdict-per-tflop = { $name } is the cheapest of { $n } by { $basis }: { $price } an hour for each { $unit }.
cost-verdict-per-tflop-none = No part has both a price and this figure.
cost-basis-dense-fp32-accumulate = dense 16-bit rate, summed in FP32
cost-basis-vendor-headline = the largest rate that is printed
cost-basis-measured = measured 16-bit rate
cost-basis-bandwidth = memory bandwidth
cost-basis-memory = memory

finding-power-threshold = It draws up to { $power }; from { $threshold } on holds: { $rule }.
finding-prices-undated = The prices have no date, so they say nothing about today.

cost-even-line = Both cost the same at { $even } use, { $hours } hours a day over the whole time{ $range }.
cost-even-range = { " " }(between { $low } and { $high })
cost-even-range-open = { " " }(from { $low }; at the other end never)
cost-months-line = At this use owning has paid for itself after { $months } months, { $used } hours of use.
cost-month-line = A month: renting { $rent }, owning { $own } (the purchase less its worth at the end spread over all months).
cost-hangs-line = It hangs most on: { $inputs }.
cost-hangs-one = { $input } (moves the difference by { $effect })
cost-bar-rent = Rent
cost-bar-own = Own
cost-line-capital = purchase
cost-line-financing = financing
cost-line-running = upkeep, people, space
cost-line-energy-used = energy at work
cost-line-energy-idle = energy idle
cost-line-residual = worth at the end
cost-chart-label = An hour of use, by use of all hours:
cost-chart-own = owning
cost-chart-rent = renting
cost-chart-even = even at { $even }
cost-row-total = In all
cost-row-range = 80% range
cost-row-hour = An hour of use
cost-row-month = A month
cost-row-break-even = Break-even use
cost-row-year = A year
cost-row-kwh = kWh a year
cost-row-price-kwh = A kWh
cost-row-mean-hour = An hour, mean of all
cost-row-power = Power at work
column-rent = Rent
column-own = Own
column-input = Input
column-low = Low
column-high = High
column-effect = Moves the
    difference by
column-price-hour = An hour
column-quantity = Figure
column-per-unit = A unit
    and hour
column-rank-headline = # by the
    largest print
cost-input-rent = rent an hour
cost-input-rent-path = path of the rent
cost-input-buy = purchase price
cost-input-utilisation = use
cost-input-years = years
cost-input-residual = worth at the end
cost-input-discount = discount
cost-input-maintenance = upkeep
cost-input-failures = failures
cost-input-staff = people
cost-input-staff-cost = cost of a person
cost-input-colo = space
cost-input-power = power at work
cost-input-idle-power = idle power
cost-input-pue = PUE
cost-input-tariff = electricity price
cost-input-running-cost = running cost
cost-next-explain = What it hangs on, and where each figure comes from:
cost-next-headline = The same by the largest rates that are printed:

fault-tokens-malformed = { $given } is not a number of tokens.
hint-tokens-malformed = Write 40M, 1.5B or 200000.
fault-tokens-zero = No tokens cost nothing.
hint-tokens-zero = Give more than 0: 40M.
fault-tokens-missing = The size of the job is missing.
hint-tokens-missing = Give its tokens: --tokens 40M.
fault-gpu-missing = The machine is missing.
hint-gpu-missing = Name it: --gpu "2x RTX 4090".
fault-grid-out-of-range = No grid emits { $given } g a kWh.
hint-grid-out-of-range = Give grams of CO2 equivalent a kWh, at most 2,000.
fault-country-unknown = The grid of { $given } is not known.
hint-country-unknown = Give two or three letters or the English name, such as NL, NLD or Netherlands; or grams a kWh with --grid.

finding-embodied-carbon-unknown = What its making emitted is not known, so only operation counts.
assumed-cost-country = the grid of { $country } ({ $grams } g a kWh)
why-cost-country = The mean of { $year }: { $source }. Give --country for another.
assumed-cost-embodied = { $total } kg for making the accelerators
why-cost-embodied = The accelerators alone, by a model of their parts; the computer around them is not counted. Give --embodied for a maker's figure.

cost-verdict-carbon = It emits { $total } kg of CO2 equivalent over { $years ->
    [one] one year
   *[other] { $years } years
}{ $country ->
    [none] { "" }
   *[other] { " " }on the grid of { $country }
}, { $share } of it by its making.
cost-verdict-job = { $model }: { $tokens } million tokens take { $time } on { $machine } and cost { $rent } rented, { $own } on one's own.
cost-verdict-job-rent = { $model }: { $tokens } million tokens take { $time } on { $machine } and cost { $rent } rented.
cost-verdict-job-own = { $model }: { $tokens } million tokens take { $time } on { $machine } and cost { $own } on one's own.
cost-verdict-job-unknown = The job of { $model } fits, and its time or price is not known.
cost-verdict-job-unfit = { $model } does not fit on this machine, so it has no cost there.
cost-verdict-api = The API is cheaper at { $tokens } million tokens a month: { $api } against { $other } for { $machine }; from { $even } million on the machine would be.
cost-verdict-api-alone = The API costs { $api } a month for { $tokens } million tokens; what { $machine } costs is not known.
cost-verdict-api-rent = Renting { $machine } is cheaper at { $tokens } million tokens a month: { $month } against { $api } for the API; from { $even } million on.
cost-verdict-api-own = Owning { $machine } is cheaper at { $tokens } million tokens a month: { $month } against { $api } for the API; from { $even } million on.

cost-api-capacity = One machine writes and reads at most { $capacity } million tokens a month; { $tokens } million need { $machines ->
    [one] one
   *[other] { $machines }
}, used { $use }.
cost-row-api = API
cost-row-renting = Renting, all hours
cost-row-owning = Owning, all hours
cost-row-operation = Operation, a year
cost-row-embodied = Making
cost-row-emitted = All years
cost-row-per-hour-used = An hour of use
column-month = A month
column-million = A million
    tokens
column-time = Time
column-rented = Rented
column-owned = Own
column-carbon = kg CO2e

cost-sheet-billed = hours paid for each hour of work
cost-sheet-all-hours = rent paid for all hours (1 or 0)
cost-sheet-rent-month = storage and traffic a month
cost-sheet-hours = hours of a month
cost-sheet-kw = kW that space is paid for
cost-sheet-loan-rate = interest of the loan a year
cost-sheet-loan-months = months of the loan (0 for none)
cost-sheet-month = Month
cost-sheet-part = Part
cost-sheet-worth = Worth
cost-sheet-loan = Loan
cost-sheet-rent-worth = Rent at its worth
cost-sheet-own-worth = Own at its worth
cost-sheet-hours-worth = Hours at their worth
cost-sheet-rent-use = Rent of the hours of work

assumed-cost-vat = prices without value added tax
why-cost-vat = A company reclaims it; give --vat 21% where it cannot be reclaimed.
fault-vat-out-of-range = A value added tax of { $given } percent makes no sense.
hint-vat-out-of-range = Give 0% to 50%, such as 21%.
cost-open-line = This is not settled: with all inputs at their ends renting may come out { $rent } cheaper, or owning { $own }. A quote and a measured use decide.
cost-sure-line = This holds with the inputs at their ends too: the difference is between { $low } and { $high }.
cost-picture-even = What an hour of use costs, by use of all hours
cost-picture-breakdown = What renting and owning cost, line by line
cost-picture-bases = Price of a TFLOP: as printed (left) and like for like (right)

fault-wait-too-long = A wait of { $given } months is as long as the years that are compared.
hint-wait-too-long = Give more --years, or fewer months.
fault-speed-missing = How much faster the new machine is, is not known.
hint-speed-missing = Give --speed 2.5: how many times the work of the old one it does.
fault-committed-missing = The catalogue has no committed offer of this machine.
hint-committed-missing = Give --committed 1.90/h for one accelerator.
assumed-cost-wait-months = the next generation in { $value } months
assumed-cost-next-speed = it does { $value } times the work
assumed-cost-next-power = it draws { $value } times the power
assumed-cost-next-price = it costs { $value } times as much
assumed-cost-speed = the new machine does { $value } times the work
why-cost-speed = The ratio of their memory bandwidths, which writing tokens goes by. Give --speed for your own work.
assumed-cost-committed = { $price } an accelerator and hour with a commitment, the middle of { $n ->
    [one] one provider
   *[other] { $n } providers
}
decide-way-buy-now = buying now
decide-way-wait-and-buy = renting until the next generation and buying that
decide-way-rent-throughout = renting throughout
decide-way-keep = keeping the old machine
decide-way-replace = replacing it
decide-way-on-demand = paying by the hour
decide-way-commit = committing to all hours
decide-verdict = Cheapest is { $first }: over { $years ->
    [one] one year
   *[other] { $years } years
} at { $use } use it costs { $saved } less than { $second }{ $open ->
    [yes] , but the inputs leave room for the other answer
   *[no] {""}
}.
decide-turns-next-price = Waiting and buying now cost the same when the next machine costs { $times } times today's ({ $price } for a whole one).
decide-turns-use = A commitment pays from { $use } use on, { $hours } hours a month.
column-way = Way
column-total = In all
