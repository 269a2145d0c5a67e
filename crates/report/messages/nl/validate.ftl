### Berichten van: validate

fault-measurements-too-large = De tabel met metingen is groter dan { $limit }.
fault-measurements-too-many-rows = De tabel met metingen heeft meer dan { $most } rijen.
fault-measurements-columns = De tabel met metingen heeft geen kolom { $column }.
hint-measurements-columns = De kolommen zijn die van facts/measurements: model, hardware, metric, value en die daarnaast.
fault-measurements-unreadable = De metingen zijn niet te lezen: { $given }.
fault-measurements-not-written = De rijen zijn niet te schrijven: { $given }.
fault-measurements-empty = Geen van de rijen is bruikbaar om mee te kalibreren.
hint-measurements-empty = maat validate --data FILE --rows OUT.csv zegt bij elke rij waarom niet.
fault-fit-unreadable = De tabel met parameters is niet aan te passen: { $given }.

validate-verdict = { $predicted } van { $rows } metingen voorspeld: de helft binnen { $median }, { $coverage } ervan in hun 80%-bereik.
validate-verdict-nothing = Van { $rows ->
    [one] één meting
   *[other] { $rows } metingen
} is er geen te beoordelen.
validate-errors = Fouten zijn factoren: 11% is 1,11 keer te veel of te weinig. De helft van de rijen ligt binnen de mediaan, negen van de tien binnen de p90. Naïef: gewichten gedeeld door bandbreedte, bewerkingen gedeeld door de piek.
validate-heading-skipped = Niet voorspeld
validate-all = alle
validate-skip-row-unreadable = er ontbreken cellen, of ze zijn geen tekst
validate-skip-value-missing = de waarde is geen positief getal
validate-skip-metric-unknown = geen grootheid die wordt voorspeld
validate-skip-model-unknown = het model heeft geen bekende naam en noemt geen grootte
validate-skip-not-a-language-model = geen taalmodel dat tekst schrijft
validate-skip-precision-unknown = de precisie is niet bekend
validate-skip-hardware-unknown = de catalogus heeft de machine niet
validate-skip-software-unknown = het programma is niet bekend
validate-skip-work-unknown = batch of lengtes staan er niet bij
validate-skip-plan-unknown = hoe het model is verdeeld staat er niet bij
validate-skip-does-not-fit = de gewichten zijn groter dan de versnellers
validate-skip-no-speed = snelheden of verbindingen van de machine zijn niet bekend
validate-kind-tpot = tijd per token
validate-kind-ttft = eerste token, prompt
validate-kind-throughput = doorvoer
validate-kind-train = training
validate-kind-memory = geheugen (GB)
validate-picture = Voorspeld tegen gemeten
validate-axis = Opzij: gemeten, omhoog: voorspeld; machten van tien van seconden
column-benchmark = Benchmark
column-metric = Grootheid
column-median-error = Mediaan
column-p90-error = p90
column-coverage = In bereik
column-naive = Naïef

assumed-calibrate = verschoven met eigen metingen uit { $file }
why-calibrate = Een gemeten run telt geheel voor het eigen model en de eigen machine; voor andere modellen op die machine telt de helft van wat de metingen gemeen hebben.
