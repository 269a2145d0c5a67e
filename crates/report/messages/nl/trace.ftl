### Traces van de PyTorch-profiler: wat er mis was met een bestand, oordelen, bevindingen, beelden.

## Fouten

fault-trace-ends-early = De trace houdt halverwege op
fault-trace-compression-damaged = De gecomprimeerde trace is beschadigd
fault-trace-compression-unknown = De trace is met iets anders dan gzip gecomprimeerd
fault-trace-unreadable = De trace is niet te lezen
fault-trace-not-json = De trace is geen geldige JSON
fault-trace-nested-too-deep = De trace heeft haakjes die dieper genest zijn dan een profiler ooit schrijft
fault-trace-too-large = De trace is groter dan de grens
fault-trace-too-many-events = De trace heeft meer gebeurtenissen dan de grens
fault-trace-without-events = Het bestand heeft geen lijst met gebeurtenissen (traceEvents)
fault-trace-two-event-arrays = Het bestand heeft twee lijsten met gebeurtenissen
fault-trace-empty = Het bestand is leeg
hint-trace-copy-again = Kopieer of exporteer het bestand opnieuw; waarschijnlijk is het onvolledig.
hint-trace-decompress = Pak het uit, of comprimeer het met gzip.
hint-trace-export-again = Exporteer met torch.profiler (export_chrome_trace) en geef dat bestand ongewijzigd door.
hint-trace-fewer-steps = Neem minder stappen op; drie tot vijf is genoeg.

## Oordelen

trace-verdict-plain = { $finding }
trace-verdict-gain = { $finding } Er valt hooguit { $gain } van de tijd te winnen.
trace-verdict-gain-then = { $finding } Er valt hooguit { $gain } van de tijd te winnen; daarna: { $next }, hooguit { $then } van wat overblijft.
trace-verdict-healthy = Niets houdt het werk op: de versneller is { $busy } van de tijd bezig en bepaalt zelf het tempo.
trace-lack-no-accelerator = De trace bevat geen werk van een versneller en kan dus niet zeggen wat die ophoudt.
trace-lack-other-accelerator = De trace is van een versneller waarvan het werk niet in kernels is verdeeld: de opdrachten ervan vullen { $busy } van de opgenomen tijd, en wat hem ophield is daaruit niet te lezen.
trace-lack-microbenchmark = De trace bevat maar { $kernels ->
    [one] één kernel
   *[other] { $kernels } kernels
 }: een microbenchmark, waaruit voor echt werk niets volgt.
trace-lack-alike = Alle { $kernels } kernels van de trace zijn van { $names ->
    [one] één soort
   *[other] { $names } soorten
 }: een microbenchmark, waaruit voor echt werk niets volgt.
trace-lack-no-load = De versneller deed in deze trace vrijwel niets: er is geen belasting om te beoordelen.
trace-lack-single-gap = Eén enkel gat beslaat het grootste deel van de tijd; dat zegt niets over het gewone verloop.
trace-lack-unexplained = De versneller stond een flink deel van de tijd stil, en de trace laat niet zien waarom.
trace-ask-accelerator = Neem ook de versneller op: profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]).
trace-ask-other-accelerator = Gebruik voor deze versneller het eigen hulpmiddel van de fabrikant, of voeg de uitvoer van de bewaking toe.
trace-ask-steps = Neem na het opwarmen drie tot vijf stappen van het echte werk op: schedule(wait=1, warmup=3, active=3).
trace-ask-stack = Neem opnieuw op met with_stack=True en ProfilerActivity.CPU, zodat de gaten een naam krijgen.

trace-confidence-low = onzeker
trace-confidence-medium = één aanwijzing
trace-confidence-high = meerdere aanwijzingen

## Bevindingen

trace-loader = De versneller wacht { $share } van de tijd op de data loader ({ $confidence }).
trace-loader-fix = Laat workers vooruit werken, in vastgezet geheugen (pinned): { $code }
trace-loader-refuted = De loader kost minder dan 2% van de stap, of de gaten liggen er verspreid in.
trace-sync = De versneller staat { $share } van de tijd stil nadat de host erop heeft gewacht ({ $gaps ->
    [one] één keer
   *[other] { $gaps } keer
 }; { $confidence }).
trace-sync-fix = Lees binnen de lus geen waarden terug (.item(), .cpu(), print): { $code }
trace-sync-refuted = De versneller werkt door terwijl de host wacht: dan kost het wachten alleen tijd van de host.
trace-launch = De versneller wacht { $share } van de tijd tot de host werk start; de helft van de kernels is korter dan { $median } ({ $confidence }).
trace-launch-fix = Start minder vaak: compileer het model tot graphs, voeg kernels samen of neem grotere batches: { $code }
trace-launch-refuted = Er staan veel starts klaar voor de versneller, of kernels duren langer dan 100 µs.
trace-launch-stacks = Opgenomen zonder with_stack zijn de gaten weg: het opnemen van Python-functies vertraagt de host.
trace-pageable = Kopiëren uit geheugen dat niet is vastgezet (pageable) kost { $share } van de tijd ({ $confidence }).
trace-pageable-fix = Zet het geheugen vast (pinned) en kopieer zonder te wachten: { $code }
trace-pageable-refuted = De kopieën komen uit vastgezet geheugen, of kosten minder dan 1%.
trace-communication = De versneller communiceert { $share } van de tijd en rekent dan niet ({ $confidence }).
trace-communication-fix = Verberg de communicatie achter het rekenen: grotere buckets, vooraf ophalen, gradiënten verzamelen, een betere topologie: { $code }
trace-communication-refuted = Meer dan 80% van de communicatie is verborgen, of ze kost minder dan 5% van de tijd.
trace-straggler = Rank { $rank } is { $over } langer bezig dan de middelste rank, en de andere wachten daarop: { $share } van de stap ({ $confidence }).
trace-straggler-fix = Geef elke rank evenveel werk, en zoek een afgeknepen versneller of een trage machine. { $code }
trace-straggler-refuted = Alle ranks communiceren even lang.
trace-pipeline = De fasen van de pipeline wachten { $share } van de tijd op elkaar ({ $confidence }).
trace-pipeline-fix = Gebruik meer microbatches, minstens vier per fase, of verweef de fasen: { $code }
trace-pipeline-refuted = Geen enkele rank stuurt iets naar één andere rank.
trace-recompiles = In { $steps ->
    [one] één latere stap
   *[other] { $steps } latere stappen
 } wordt opnieuw code gecompileerd, { $share } van de tijd ({ $confidence }).
trace-recompiles-fix = Houd vormen vast, of laat ze bewust variëren: { $code }
trace-recompiles-refuted = Na de eerste stap wordt er niets gecompileerd.
trace-checkpoint = Checkpoints schrijven of evalueren legt de versneller { $share } van de tijd stil ({ $confidence }).
trace-checkpoint-fix = Schrijf checkpoints op de achtergrond, in delen of minder vaak: { $code }
trace-checkpoint-refuted = Er ligt geen lang gat naast kopieën naar de host.
trace-allocator = Geheugen aanvragen en vrijgeven legt de versneller { $share } van de tijd stil ({ $confidence }).
trace-allocator-fix = Houd vormen vast en geheugen in de cache; probeer de opdracht hieronder. { $code }
trace-allocator-refuted = Alleen in de eerste stappen wordt geheugen aangevraagd.
trace-tensor = Matrixproducten en convoluties nemen { $eligible } van de kerneltijd en gebruiken geen tensor cores ({ $confidence }).
trace-tensor-fix = Sta TF32 of bfloat16 toe, met afmetingen die veelvouden van 8 zijn: { $code }
trace-tensor-refuted = De namen van de kernels noemen tensorinstructies (884, 16816, hmma, wgmma).
trace-memory = { $share } van de kerneltijd gaat naar kernels die vooral gegevens verplaatsen, en de versneller staat maar { $idle } van de tijd stil: zijn geheugen is de grens ({ $confidence }).
trace-memory-fix = Verplaats minder bytes: kernels samenvoegen, smallere typen, grotere batches bij het decoderen: { $code }
trace-memory-refuted = Een hardwareprofiel laat minder dan 40% van de geheugenbandbreedte zien.
trace-warmup = De eerste stappen bereiden voor (compileren, code laden, kernels kiezen): { $share } van de opgenomen tijd zegt niets over latere stappen; de versneller wachtte daar { $preparing } van de tijd op ({ $confidence }).
trace-warmup-fix = Laat de eerste stappen buiten de opname: { $code }
trace-warmup-refuted = Latere stappen zijn even traag.

## Beelden en tabellen

trace-heading-split = Waar de tijd blijft
trace-heading-timeline = Verloop (elk teken is een deel van de opgenomen tijd)
trace-heading-course = Verloop
trace-heading-steps = Stappen
trace-heading-kernels = Kernels naar tijd
trace-heading-ranks = Ranks, gemiddelde stap
trace-heading-after = Als het eerste is opgelost
trace-after-line = { $cause }: hooguit { $share }
trace-ask-heading = Wat op te nemen
trace-of-rank = Rank { $rank }: { $summary }
trace-summary = { $events ->
    [one] één gebeurtenis
   *[other] { $events } gebeurtenissen
 }, { $kernels ->
    [one] één kernel
   *[other] { $kernels } kernels
 }, venster { $window }, stil { $idle }
trace-summary-other = { $events ->
    [one] één gebeurtenis
   *[other] { $events } gebeurtenissen
 }, waarvan { $other } van een versneller zonder kernels, over { $window }
trace-summary-host = { $events ->
    [one] één gebeurtenis
   *[other] { $events } gebeurtenissen
 }, geen werk van een versneller
trace-part-compute = rekenen
trace-part-communication = communicatie, onbedekt
trace-part-copies = kopiëren, onbedekt
trace-part-loader = wachten op de loader
trace-part-sync = na een synchronisatie
trace-part-launch = wachten op starts
trace-part-other = stil, overig
trace-column-part = Deel
trace-column-time = Tijd
trace-column-share = Aandeel
trace-column-kernel = Kernel
trace-column-count = Aantal
trace-column-mean = Gemiddeld
trace-column-step = Stap
trace-column-idle = Stil
trace-column-critical = Vooral
trace-column-rank = Rank
trace-column-own = Eigen werk
trace-column-exposed = Onbedekte communicatie
trace-resource-compute = rekenen
trace-resource-communication = communicatie
trace-resource-copies = kopiëren
trace-resource-loader = loader
trace-resource-sync = synchronisatie
trace-resource-launch = starts
trace-resource-other = overig

## Codes in het algemeen

finding-data-loader-wait = De versneller wacht op de data loader.
finding-host-device-sync = De versneller staat stil nadat de host erop heeft gewacht.
finding-launch-bound = De host start werk trager dan de versneller het doet.
finding-h2d-pageable = Batches worden gekopieerd uit geheugen dat niet is vastgezet.
finding-exposed-communication = De versneller communiceert en rekent intussen niet.
finding-straggler-rank = Eén rank is langer bezig dan de andere, en alle wachten daarop.
finding-pipeline-bubble = De fasen van de pipeline wachten op elkaar.
finding-recompiles = In latere stappen wordt opnieuw code gecompileerd.
finding-checkpoint-eval-stall = Checkpoints schrijven of evalueren legt de versneller stil.
finding-allocator-thrash = Geheugen aanvragen en vrijgeven legt de versneller stil.
finding-tensor-cores-unused = Matrixproducten draaien op de gewone rekenkernen terwijl er tensor cores zijn.
finding-memory-bandwidth = Het geheugen van de versneller is de grens.
finding-warmup-jit = Alleen de eerste stappen zijn traag.
finding-trace-incomplete = { $why }: er { $events ->
    [one] is één gebeurtenis
   *[other] zijn { $events } gebeurtenissen
 } gelezen, en alles hier geldt alleen daarvoor.

## Comparisons and details

trace-cause-data-loader-wait = het wachten op de data loader
trace-cause-host-device-sync = het wachten na synchronisaties
trace-cause-launch-bound = het wachten op starts
trace-cause-h2d-pageable = kopiëren uit niet-vastgezet geheugen
trace-cause-exposed-communication = onbedekte communicatie
trace-cause-straggler-rank = de trage rank
trace-cause-pipeline-bubble = het wachten in de pipeline
trace-cause-recompiles = het telkens opnieuw compileren
trace-cause-checkpoint-eval-stall = checkpoints of evaluatie
trace-cause-allocator-thrash = het toewijzen van geheugen
trace-cause-tensor-cores-unused = ongebruikte tensor cores
trace-cause-memory-bandwidth = de bandbreedte van het geheugen
trace-cause-warmup-jit = het opwarmen

trace-diff-faster = Sneller: { $what } duurt { $after } in plaats van { $before } ({ $share } minder), doordat { $because }.
trace-diff-slower = Trager: { $what } duurt { $after } in plaats van { $before } ({ $share } meer), doordat { $because }.
trace-diff-same = Geen duidelijk verschil: { $what } duurt { $after }, eerder was het { $before }.
trace-diff-other-work = De traces tonen ander werk, zodat de tijden niet te vergelijken zijn: maar { $common } van de kerneltijd zit in kernels die beide hebben.
trace-diff-damaged = De traces zijn niet te vergelijken: van een ervan was maar een deel te lezen.
trace-diff-unknown = De traces zijn niet te vergelijken: een ervan toont geen werk van een versneller.
trace-microseconds = { $n } µs
trace-milliseconds = { $n } ms
trace-seconds = { $n } s
trace-diff-step = een stap
trace-diff-recording = de opname
trace-diff-less = { $part } { $time } minder kost
trace-diff-more = { $part } { $time } meer kost
trace-before = ervoor
trace-after = erna
trace-heading-diff = Ervoor en erna, de opname
trace-heading-diff-step = Ervoor en erna, gemiddelde stap
trace-heading-diff-kernels = Kernels die het meest veranderden (per stap, waar stappen worden vergeleken)
trace-column-change = Verschil

trace-time-compute = rekenen
trace-time-communication = onbedekte communicatie
trace-time-copies = onbedekt kopiëren
trace-time-loader = wachten op de loader
trace-time-checkpoint = checkpoints schrijven
trace-time-evaluation = evalueren
trace-time-compile = compileren
trace-time-module = code laden
trace-time-allocation = geheugen toewijzen
trace-time-staging = kopieën uit niet-vastgezet geheugen voorbereiden
trace-time-sync = wachten na synchronisaties
trace-time-launch = wachten op starts
trace-time-queued = wachten tot klaargezet werk begint
trace-time-unexplained = stilstand zonder zichtbare reden

trace-heading-waits = Stilstand
trace-heading-families = Kernels naar soort
trace-heading-communication = Communicatie
trace-heading-copies = Kopieën
trace-heading-launches = Starts en de wachtrij
trace-heading-streams = Streams
trace-idle-host = de host was te laat (host wait)
trace-idle-kernel = er stond werk klaar (kernel wait)
trace-idle-other = niet bekend (other)
trace-column-comm = Comm.
trace-column-copies = Kopieën
trace-column-family = Soort
trace-column-kind = Soort
trace-column-copy = Kopie
trace-column-size = Omvang
trace-column-rate = Snelheid
trace-column-value = Waarde
trace-column-device = Apparaat
trace-column-stream = Stream
trace-column-busy = Bezig
trace-row-tensor = op tensor cores, van producten waarvan de naam het zegt
trace-row-hidden = bedekt door rekenen, van het geheel
trace-family-communication = communicatie
trace-family-allreduce = eigen all-reduce
trace-family-attention = attention
trace-family-gemm = matrixproducten
trace-family-convolution = convoluties
trace-family-normalisation = normalisatie
trace-family-elementwise = puntsgewijs
trace-family-reduction = reducties
trace-family-embedding = opzoeken
trace-family-optimizer = optimizer
trace-family-layout = herschikken
trace-family-sorting = sorteren en kiezen
trace-family-quantisation = kwantisatie
trace-family-random = toevalsgetallen
trace-family-other = overige
trace-collective-all-reduce = all-reduce
trace-collective-all-gather = all-gather
trace-collective-reduce-scatter = reduce-scatter
trace-collective-broadcast = broadcast
trace-collective-send-receive = zenden en ontvangen
trace-collective-reduce = reduce
trace-collective-other = de naam zegt het niet
trace-launch-calls = startende aanroepen met hun kernel
trace-launch-graphs = waarvan hele graphs
trace-launch-call-median = mediane aanroep
trace-launch-delay-median = mediane vertraging tot de kernel begint
trace-launch-kernel-median = mediane kernel
trace-launch-shorter = kernels korter dan hun aanroep
trace-launch-slow = trage aanroepen (boven 50 µs)
trace-launch-late = late starts (boven 100 µs)
trace-launch-queue-median = mediane lengte van de wachtrij
trace-launch-queue-max = langste wachtrij
trace-launch-sync = synchroniserende aanroepen, samen
trace-more = Stappen, stilstand, kopieën, communicatie, starts en streams: --explain
