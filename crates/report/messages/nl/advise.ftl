### Berichten van: advise

fault-model-missing = Er is geen model gegeven.
hint-model-missing = Geef een map met config.json, een bestand, een ingebouwde naam zoals meta-llama/Llama-3.1-8B, of een omvang zoals 7B.
fault-task-not-available = De taak { $task } is er nog niet.
hint-task-not-available = Wat er is: chat, batch, edge, pretrain, full, lora, qlora, dpo, ppo, grpo, tabular, database, vector-search, web en etl.
fault-task-unknown = { $given } is geen taak.
hint-task-unknown = Kies uit: { $known }.
fault-engine-unknown = { $given } is geen engine.
hint-engine-unknown = Kies uit: { $known }.
fault-engine-version-malformed = { $given } is geen engine met een versie.
hint-engine-version-malformed = Schrijf de naam en de versie: vllm@0.11.
fault-engine-not-for-text = { $engine } draait geen taalmodellen.
fault-count-zero = --{ $flag } is 0.
hint-count-zero = Geef minstens 1.
fault-count-too-large = --{ $flag } is te groot.
fault-count-malformed = { $given } is geen aantal.
hint-count-malformed = Schrijf een geheel getal, of auto.
fault-context-below-lengths = Een context van { $context } tokens biedt geen plaats aan de { $needed } van prompt en antwoord.
hint-context-below-lengths = Verhoog --context, of verlaag --input en --output.
fault-no-division = Het model is niet zoals gevraagd over deze versnellers te verdelen.
hint-no-division = Laat --tp, --pp of --replicas weg om ze te laten kiezen.
fault-no-machine = Geen aantal van deze versnellers maakt een machine.

assumed-max-ttft = eerste token binnen { $time }
assumed-max-tpot = hooguit { $time } per token
why-conversation = Wat een gesprek nodig heeft om vlot te lopen; geef de optie om het te veranderen.

miss-ttft = het eerste token duurt { $value }, de grens is { $limit }
miss-tpot = een token duurt { $value }, de grens is { $limit }
miss-power = het trekt { $value }, de grens is { $limit }
miss-throughput = het schrijft { $value }, gevraagd is minstens { $limit }
miss-speed-unknown = de snelheid is niet bekend

cpu-only = Alleen processors doen het werk binnen de grenzen: { $machine }.
cpu-misses = Geen processor doet het werk binnen de grenzen; de dichtstbijzijnde, { $machine }, haalt het niet: { $why }.
cpu-not-tried = Er was geen processor onder wat te krijgen is.
cpu-cheaper = Een processor doet het voor minder: { $cpu } voor { $cpu-hourly } per uur, tegen { $gpu } voor { $gpu-hourly }.
gpu-cheaper = Een GPU doet het voor minder: { $gpu } voor { $gpu-hourly } per uur, tegen { $cpu } voor { $cpu-hourly }.
crossing-users = Vanaf { $value } gebruikers houdt die processor het niet meer bij, en loont een GPU.
crossing-gpu-hourly = Tot { $value } per uur zou een GPU lonen.
crossing-weights-bytes-per-token = Een processor zou een model bijhouden waarvan een token hoogstens { $value } leest.
cpu-gpu-speed = Voor één gebruiker schrijft de snelste GPU { $ratio } keer zo snel als de snelste processor.

finding-part-announced = { $part } is aangekondigd en nog niet te krijgen.
fix-part-announced = Kies een onderdeel dat nu te koop is; wat is aangekondigd telt nooit als passend.
finding-context-beyond-model = Er zijn { $asked } tokens gevraagd, en het model is gemaakt voor { $most }.
fix-context-beyond-model = Verlaag --context, of schaal de posities (YaRN en verwanten) en controleer de kwaliteit.
finding-no-growth-room = Er is maar { $share } van het geheugen over: een langere prompt of een gebruiker meer past misschien niet.
fix-no-growth-room = Neem een maat groter kaart, of sla de cache kleiner op met --kv-precision.
finding-quantisation-loss = Gewichten in { $precision } zijn { $bits } bits groot, en dat kost kwaliteit.
fix-quantisation-loss = Vergelijk de antwoorden op eigen vragen voordat het hierbij blijft.
finding-tp-without-fast-links = Elke matrix is over { $tp } versnellers verdeeld, die alleen via { $link } ({ $rate }) verbonden zijn.
fix-tp-without-fast-links = Draai kopieën naast elkaar waar één past, of neem versnellers met snelle verbindingen.
finding-tp-does-not-divide-heads = { $heads } attention-koppen zijn niet over { $tp } versnellers te verdelen.
fix-tp-does-not-divide-heads = Kies een --tp waardoor het aantal koppen deelbaar is.
finding-part-figures-unsure = Cijfers van { $part } zijn niet zeker: { $what }.
finding-precision-weight-only = { $part } rekent niet in { $precision }: de gewichten nemen minder plaats in, en het rekenen gebeurt in 16 bits.
fix-precision-weight-only = Er hoeft niets te gebeuren; verwacht geen hogere snelheid waar rekenkracht de grens is.

advise-searched = { $fitting } van { $machines } machines doen het, los van de prijs{ $misses ->
    [0] .
   *[other] ; deze schelen het minst:
}
advise-miss = { $machine }: { $why }{ $by-known ->
    [yes] {""} (scheelt { $by })
   *[no] {""}
}
advise-next-size = De beste van dichterbij, met geheugen en snelheid:
column-rank = #
column-machine = Machine
column-hourly = Per uur
column-per-million = Per mln
    tokens
column-ttft = Eerste
    token
column-offer = Aanbod

advise-best-rent = Huur { $machine } bij { $provider } voor { $hourly } per uur ({ $monthly } per maand): { $users ->
    [one] één gebruiker
   *[other] { $users } gebruikers
}, eerste token na { $ttft }, daarna elke { $tpot } een (prijs van { $date }).
advise-best-own = Koop { $machine } voor { $purchase } ({ $hourly } per uur over de levensduur): { $users ->
    [one] één gebruiker
   *[other] { $users } gebruikers
}, eerste token na { $ttft }, daarna elke { $tpot } een (prijs van { $date }).
advise-no-candidate = { $machines ->
    [0] Er is geen machine te krijgen die het zou kunnen doen
    [one] De enige machine die te krijgen is, doet het niet
   *[other] Geen van { $machines } machines doet het
} voor { $model }{ $nearest ->
    [none] .
   *[other] ; de dichtstbijzijnde, { $nearest }: { $why }.
}

assumed-kind = aanbod: { $kinds }
assumed-host-price = een computer om gekochte kaarten heen vanaf { $price }
why-host-price = Wat een gewone computer met processor en zonder versnellers kost; het cijfer staat in facts/prices/hosts.csv.
assumed-tariff = stroom voor { $price } per kWh ({ $area }, { $period })
assumed-years = aanschaf verdeeld over { $n } jaar, alle uren in gebruik

reason-room = Er is plaats voor { $most ->
    [one] één reeks
   *[other] { $most } reeksen
} op volle lengte, en gevraagd zijn er { $users }.
reason-instances = { $n } hiervan verdelen de gebruikers, elk met een hele kopie van het model.
reason-dearer-offers = { $n ->
    [one] Eén ander aanbod
   *[other] { $n } andere aanbiedingen
} van hetzelfde { $n ->
    [one] kost
   *[other] kosten
} meer.

unranked-form-unknown = Het aanbod zegt niet welke uitvoering van het onderdeel het is.
unranked-name-unknown = De catalogus kent geen onderdeel met deze naam.
unranked-memory-mismatch = Het genoemde geheugen hoort niet bij een onderdeel met deze naam.
unranked-undated = De prijs heeft geen datum.

fault-offer-kind-unknown = { $given } is geen soort aanbod.
hint-offer-kind-unknown = Kies uit: on-demand, spot, marketplace, committed, purchase.

finding-price-old = De prijs is { $days } dagen oud (van { $date }).
fix-price-old = Vraag de aanbieder naar de prijs van vandaag, of weiger oude prijzen met --max-price-age.
finding-price-multiplied = Het aanbod is voor één versneller; de prijs is met { $count } vermenigvuldigd, en of de aanbieder er { $count } in één machine heeft is niet bekend.
finding-price-unsure = De prijs is niet zeker: { $what }.
fix-price-unsure = Controleer hem bij de aanbieder.
finding-spot-can-be-taken-away = Spot-machines kunnen op elk moment worden weggenomen.
finding-rent-and-own-together = Gehuurde en gekochte machines staan in één lijst; beide zijn geprijsd voor alle { $hours } uren van een jaar.
finding-offers-too-old = { $n ->
    [one] Eén aanbod is
   *[other] { $n } aanbiedingen zijn
} weggelaten omdat de prijs te oud is.
fix-offers-too-old = Laat oudere prijzen toe met --max-price-age.
finding-offers-without-region = { $n ->
    [one] Eén aanbod is
   *[other] { $n } aanbiedingen zijn
} weggelaten omdat de regio niet is genoemd.
fix-offers-without-region = Laat --region weg om ze te zien.
miss-hourly = het kost { $value } per uur, de grens is { $limit }
miss-total = het kost { $value } om te kopen, de grens is { $limit }

cpu-not-priced = Processors doen het werk ook, maar geen ervan heeft een bruikbare prijs.
fault-memory-fraction-zero = Met een geheugenaandeel van 0 houdt de engine geen geheugen over.
hint-memory-fraction-zero = Geef een aandeel boven 0 en tot 1, zoals 90%.
fault-experts-none = { $model } heeft geen routed experts om in het werkgeheugen te houden.
hint-experts-none = Laat --experts weg, of houd hele lagen in het werkgeheugen met --gpu-layers.
finding-offers-later = { $n ->
    [one] Eén aanbod is
   *[other] { $n } aanbiedingen zijn
} weggelaten omdat de prijs van na de dag van het antwoord is.
fix-offers-later = Kies een latere dag met --as-of.

fault-deploy-bare-size = { $model } is alleen een grootte: er is niets om te starten.
hint-deploy-bare-size = Geef een modelmap, een bestand of een ingebouwde naam.
fault-deploy-other-engine = { $target } start niet wat op { $engine } draait.
hint-deploy-other-engine = Geef een --engine en --deploy die bij elkaar horen.
fault-deploy-other-task = { $target } start geen { $task }: de scripts ervan doen dat niet.
hint-deploy-other-task = --deploy megatron is voor pretraining, torchrun en deepspeed voor alles behalve ppo.
fault-deploy-offload-optimizer = FSDP kan niet alleen de optimizer in het hostgeheugen houden.
hint-deploy-offload-optimizer = Gebruik --deploy deepspeed, of --offload all.
fault-deploy-precision = De scripts van dit programma trainen niet in { $precision }.
hint-deploy-precision = Gebruik --precision bf16, of --deploy megatron voor FP8.
fault-deploy-optimizer = De scripts van dit programma hebben geen { $optimizer }.
hint-deploy-optimizer = Gebruik --optimizer adamw, of een andere --deploy.
fault-deploy-megatron-shape = De vlaggen van Megatron-LM beschrijven geen modellen van de familie { $family }, of niet alle lagen van dit model zijn gelijk.
hint-deploy-megatron-shape = Gebruik --deploy torchrun of deepspeed.
fault-deploy-no-image = Er is geen containerimage van { $program } bekend voor { $maker }.
hint-deploy-no-image = Start het zonder container, met --deploy vllm, sglang of llamacpp.
deploy-start = Zo start het met { $program }:
deploy-confirm-pool-vllm = In het log hoort ongeveer te staan: "GPU KV cache size: { $tokens } tokens".
deploy-confirm-pool-sglang = In het log hoort ongeveer te staan: "max_total_num_tokens={ $tokens }".
deploy-confirm-pool-llamacpp = Het log noemt de cache "KV buffer size"; die hoort { $tokens } tokens te bevatten.
deploy-confirm-first-node = Start het op elk van { $nodes } nodes, met de naam van de eerste in plaats van FIRST_NODE (DeepSpeed: op één node, met de namen in hostfile).
deploy-confirm-dataset = Zet de naam of de map van de dataset in plaats van DATASET.
deploy-confirm-reward = Zet de naam van een beloningsfunctie in plaats van REWARD.
deploy-confirm-selective = Dit script herberekent alle activaties of geen; met FlashAttention worden die van de attentiekern toch al herberekend.
deploy-confirm-megatron-data = Zet het voorvoegsel van de data die tools/preprocess_data.py schreef in plaats van DATASET.
deploy-confirm-rotary-base = Voeg --rotary-base toe met rope_theta uit de config.json van het model.
deploy-confirm-megatron-log = De regels "elapsed time per iteration (ms)" en "throughput per GPU (TFLOP/s/GPU)" in het log tonen of het loopt als gepland.
deploy-confirm-train-memory = nvidia-smi hoort na enkele stappen { $low } tot { $high } in gebruik te tonen op elke accelerator.
deploy-confirm-step = Verwacht { $low } tot { $high } per stap.
deploy-confirm-train-throughput = Verwacht in totaal { $low } tot { $high } getrainde tokens per seconde.
deploy-confirm-nodes = Start het op elk van { $nodes } nodes, met het nummer van de node vanaf 0 in plaats van NODE_RANK en de naam van de eerste in plaats van FIRST_NODE.
deploy-confirm-headless = Voeg { $flag } toe op elke node behalve de eerste.
deploy-confirm-latency = Verwacht een eerste token na ongeveer { $ttft }, en { $low } tot { $high } voor elk volgend token.
deploy-confirm-throughput = Verwacht { $low } tot { $high } tokens per seconde in totaal.

### Werk zonder neuraal netwerk

task-tabular = Leren uit tabellen
task-etl = De pijplijn
task-database = De database
task-vector-search = Zoeken in vectoren
task-web = De webserver
fault-data-missing = De taak { $task } heeft --{ $flag } nodig.
hint-data-missing = Bijvoorbeeld: --rows 10M, --vectors 5M.
fault-data-machine-missing = Er is geen machine gegeven voor { $task }.
hint-data-machine-missing = Geef --gpu of --cpu, of vraag er een aan maat advise.
fault-data-speed-unknown = De snelheid van { $machine } bij { $task } is niet bekend.
hint-data-speed-unknown = Geef --cpu met een processor uit de catalogus, of met het aantal kernen, zoals "16 cores".
assumed-learner = gradient-boosted bomen
assumed-trees = { $n ->
    [one] 1 boom
   *[other] { $n } bomen
}
assumed-columns = { $n ->
    [one] 1 kolom
   *[other] { $n } kolommen
}
assumed-rows = { $n ->
    [one] 1 rij
   *[other] { $n } rijen
}
assumed-dim = { $n } dimensies
assumed-index = een graafindex (HNSW)
assumed-queries = { $n } per seconde
finding-flags-not-used = { $task } gebruikt { $flags } niet.
miss-data-memory = het vraagt { $need } geheugen, en data mogen { $room } vullen
miss-data-rate = het doet er hoogstens { $rate } per seconde
advise-no-candidate-data = Niets doet het binnen de grenzen: er zijn { $machines } machines bekeken. { $nearest ->
    [none] { "" }
   *[other] Het dichtst bij komt { $nearest }: { $why }.
}
advise-data-cpu-job = Een processor is genoeg: { $task } duurt ongeveer { $time } op { $machine }, voor { $hourly } per uur ({ $basis ->
    [own] gekocht
   *[rent] gehuurd
}).
advise-data-gpu-job = Een GPU loont: { $task } duurt ongeveer { $time } op { $machine }, voor { $hourly } per uur ({ $basis ->
    [own] gekocht
   *[rent] gehuurd
}).
advise-data-cpu-service = Een processor is genoeg: { $machine } doet er ongeveer { $rate } per seconde, voor { $hourly } per uur ({ $basis ->
    [own] gekocht
   *[rent] gehuurd
}).
advise-data-gpu-service = Een GPU loont: { $machine } doet er ongeveer { $rate } per seconde, voor { $hourly } per uur ({ $basis ->
    [own] gekocht
   *[rent] gehuurd
}).
size-data-job = { $machine } doet ongeveer { $time } over één keer.
size-data-service = { $machine } doet er ongeveer { $rate } per seconde{ $machines ->
    [one] { "." }
   *[other] ; { $machines } stuks doen wat gevraagd is.
}
size-data-does-not-fit = { $machine } bevat het niet: { $why }.
data-times = { $cpu } doet er { $cpu-time } over, { $gpu } { $gpu-time }.
data-rates = { $cpu } beantwoordt er { $cpu-rate } per seconde, { $gpu } { $gpu-rate }.
data-crossing-rows = Vanaf ongeveer { $value } rijen loont een GPU, als de rest gelijk blijft.
data-crossing-queries = Vanaf ongeveer { $value } vragen per seconde loont een GPU, als de rest gelijk blijft.
data-crossing-scans-per-load = Alleen analytisch doorlezen is een ander geval: een tabel die in GPU-geheugen blijft heeft zich na ongeveer { $value } keer terugverdiend.
data-crossing-never = Bij geen enkele omvang van dit werk loont een GPU.
data-setup = Op de GPU gaat { $setup } voorbij voordat het werk begint en { $transfer } aan het overbrengen van de data, van { $whole } in totaal.
data-parallel = { $share } van het werk loopt tegelijk: { $cores } kernen zijn { $gain } keer zo snel als één, en geen enkel aantal kernen is meer dan { $most } keer zo snel (Amdahl).
data-web-branches = Verzoeken zijn kort, onafhankelijk en vol vertakkingen: kernen en geheugen bedienen ze, een GPU heeft er niets te rekenen.
data-database-branches = Transacties volgen vertakkingen en indexen naar telkens een paar rijen: ze wachten op geheugen, vergrendelingen en schijven, en die maakt een GPU niet sneller.
data-database-transfer = { $bytes } doorlezen kost een processor { $scan }; het naar een GPU brengen kost eerst al { $transfer }.
data-no-gpu-holds = Geen GPU die te krijgen is bevat de data.
data-no-cpu-holds = Geen processor die te krijgen is doet het binnen de grenzen.
data-exception-trees = Grote ensembles van bomen zijn de bekende uitzondering bij tabellen: histogrammen van miljoenen rijen worden begrensd door geheugenbandbreedte, en daarvan heeft een GPU meer.
data-exception-frames = Dataframes van deze omvang zijn een bekende uitzondering: joins en groeperingen worden begrensd door geheugenbandbreedte, en daarvan heeft een GPU meer.
data-exception-graph = Zoeken in vectoren is een bekende uitzondering: elke vraag bezoekt veel vectoren, en een GPU beantwoordt er duizenden tegelijk.
data-exception-vectors = Zoeken in vectoren is een bekende uitzondering: vergelijken is een matrixproduct.
data-memory-cpu = Het vraagt { $bytes } geheugen en { $disk } schijf.
data-memory-gpu = Het vraagt { $bytes } GPU-geheugen en { $disk } schijf.
data-bound-memory = De geheugenbandbreedte begrenst het.
data-bound-storage = Het lezen van de bestanden begrenst het.
data-bound-setup = Het opstarten van de GPU duurt langer dan het werk.
data-bound-transfer = Het overbrengen van de data naar de GPU begrenst het.
data-bound-compute = Rekenwerk en vertakkingen van de kernen begrenzen het.
column-items = Per seconde
figure-items = Items per seconde
figure-item = Eén item

### De hele server

server-part-accelerator-memory = acceleratorgeheugen
server-part-accelerator-time = tijd binnen de grenzen
server-part-accelerator-compute = rekenkracht van de versnellers
server-part-accelerator-bandwidth = geheugenbandbreedte
server-part-cpu-cores = processorkernen
server-part-host-ram = hostgeheugen
server-part-accelerator-links = verbindingen tussen de versnellers
server-part-pcie-lanes = PCIe-lanes
server-part-card-slots = kaartsleuven
server-part-storage-capacity = ruimte op de schijven
server-part-storage-read = lezen van de schijven
server-part-network = netwerk tussen nodes
server-part-power-supply = de voedingen
server-part-power-feed = stroom en koeling ter plaatse
server-limiting = Van de hele server is dit het schaarst: { $part }, waarvan { $share } over is{ $next-known ->
    [no] { "." }
    [short] ; daarna schiet { $next } tekort: gevraagd is { $next-times } keer wat er is.
   *[yes] ; daarna komt { $next } met { $next-share }.
}
server-flat-out = Van de hele server bepaalt dit het tempo: { $part }{ $next-known ->
    [no] { "." }
    [short] ; daarna schiet { $next } tekort: gevraagd is { $next-times } keer wat er is.
   *[yes] ; daarna komt { $next }, waarvan { $next-share } over is.
}
server-short = Van de hele server schiet dit tekort: { $part }, waarvan { $times } keer gevraagd is wat er is{ $next-known ->
    [no] { "." }
    [short] ; daarna { $next }, met { $next-times } keer.
   *[yes] ; daarna komt { $next }, waarvan { $next-share } over is.
}
server-until = Bij deze groei volstaat het tot { $until }: het draagt { $times } keer de belasting van nu.
finding-vram-too-small = De klus vraagt { $need } acceleratorgeheugen, en er is { $have }.
fix-vram-too-small = Neem grotere of meer versnellers, een kleinere precisie of minder context.
finding-psu-too-small = De node neemt tot { $most } op, met pieken van { $peak } gedurende milliseconden; de voedingen leveren { $supply }.
fix-psu-too-small = Neem voedingen van { $wanted } of meer (ATX 3.0 of later voor de pieken), of stel --power-limit in.
finding-psu-rail-limit = { $card } neemt { $watts } op; een voeding met meerdere 12V-rails kan bij ongeveer { $limit } op één daarvan uitschakelen, wat zij in totaal ook levert.
fix-psu-rail-limit = Voed de kaart vanaf twee rails, of gebruik een voeding met één rail.
finding-power-and-cooling = De node neemt tot { $most } op en geeft dat alles als warmte af ({ $heat } BTU/h); { $kind ->
    [socket] een stopcontact van 230 V en 16 A levert blijvend { $feed }
   *[rack] een luchtgekoeld rack levert gewoonlijk { $feed }
}.
fix-power-and-cooling = Vraag ter plaatse naar de kilowatts per rack en de koeling, verdeel nodes over groepen of racks, of stel --power-limit in.
finding-cards-heat-each-other = { $count } brede kaarten van meer dan 350 W in één kast blazen hun warmte naar elkaar en klokken terug.
fix-cards-heat-each-other = Gebruik kaarten die uit de kast blazen, een open frame met risers, minder kaarten, of --power-limit.
finding-storage-too-small = De bestanden nemen { $files } in, en het dubbele terwijl ze vervangen worden; de schijven bevatten { $have }.
fix-storage-too-small = Reken op { $need } en meer: versies, downloadcaches en datasets komen erbovenop.
finding-storage-too-slow = { $why ->
    [rate] Het werk leest { $need }, en de opslag levert { $have }.
   *[load] Het lezen van het model duurt { $time } bij { $have }: elke herstart wacht daarop.
}
fix-storage-too-slow = Houd de bestanden op een lokale NVMe-schijf.
finding-pcie-lanes-short = Kaarten, schijven en netwerkkaarten gebruiken op volle breedte { $need } PCIe-lanes; de processors hebben er { $have }.
fix-pcie-lanes-short = Laat kaarten die weinig uitwisselen op x8 lopen, of neem een processor voor werkstations of servers.
finding-no-free-slots = De kaarten nemen { $need } van { $have } sleuven in: er is geen plaats voor nog een.
fix-no-free-slots = Neem een bord en een kast met meer sleuven, of grotere kaarten, als de belasting moet groeien.
finding-cpu-cores-short = Het voeden van de versnellers kost { $need ->
    [one] 1 kern
   *[other] { $need } kernen
}; er { $have ->
    [one] is er 1
   *[other] zijn er { $have }
}.
fix-cpu-cores-short = Neem een processor met meer kernen, of een grotere instantie.
finding-network-too-slow = Een node stuurt { $need } Gb/s om de uitwisseling achter het werk te houden; het netwerk levert { $have } Gb/s.
fix-network-too-slow = Neem een sneller netwerk, tel meer microbatches op, of houd ZeRO-3 binnen een node.
finding-software-left-behind = { $part } is door de software achtergelaten{ $last ->
    [none] { ": het is nooit officieel ondersteund." }
   *[other] : { $last } is de laatste die het ondersteunt{ $driver ->
        [none] { "." }
       *[other] , met driverreeks { $driver }.
    }
}
fix-software-left-behind = Leg frameworkversies vast die het nog ondersteunen, en koop het niet voor werk van jaren.
finding-numa-several-sockets = Elk van { $sockets } sockets heeft eigen geheugen; wat bij een andere ligt is trager te bereiken.
fix-numa-several-sockets = Spreid het geheugen (numactl --interleave=all, llama.cpp --numa distribute), of draai op elke socket één kopie.
finding-growth-outruns-machine = Bij deze groei is de machine vol op { $until }: zij draagt { $times } keer de belasting van nu.
fix-growth-outruns-machine = Kies een machine met meer ruimte, of een waaraan kaarten of nodes toe te voegen zijn.
finding-waiting-for-part = { $part } is aangekondigd en nog niet te krijgen{ $instead ->
    [none] { "." }
   *[other] ; { $instead } doet de klus vandaag.
}
fix-waiting-for-part = Huur of koop wat de klus vandaag doet: er is altijd iets beters aangekondigd.
server-slack-label = Wat er van de delen van de server over is
column-left = Over
column-needed = Nodig
column-there = Aanwezig
compare-replicas = Bij { $users ->
    [one] 1 gebruiker
   *[other] { $users } gebruikers
} schrijven kopieën { $first } in totaal { $first-rate } en doen { $first-tpot } over een token; één gesplitst model { $second } schrijft { $second-rate } en doet { $second-tpot } over een token.
compare-slices = { $fits ->
    [both] { $first } schrijven samen { $first-rate }, { $second } met dezelfde { $users } gebruikers { $second-rate }: slices houden gebruikers gescheiden, de hele kaart leent ieder wat de anderen overlaten.
    [first] { $first } doen het; { $second } niet met { $users } gebruikers.
    [second] Een slice bevat het niet; { $second } wel, en die schrijft { $second-rate }.
   *[none] Noch een slice noch { $second } bevat het.
}
compare-mixed = { $fits ->
    [both] { $first } schrijven { $first-rate }; { $second } alleen schrijft { $second-rate }.
    [first] Alleen { $first } samen bevatten het.
    [second] { $second } alleen doet het, en schrijft { $second-rate }.
   *[none] Noch { $first } noch { $second } alleen bevat het.
}
compare-power = Op { $limit } in plaats van { $full } schrijft het { $slower } minder en neemt het tot { $less } minder op.
compare-workstation = Op eigen vloer kost { $first } { $first-hourly } per uur en schrijft { $first-rate }; in een datacenter kost { $second } { $second-hourly } en schrijft { $second-rate }.
finding-cpu-without-matrix-units = De processor rekent met { $simd } en heeft geen matrixeenheden (AMX): het lezen van prompts wordt begrensd door de vectoreenheden{ $gain ->
    [one] { "." }
   *[other] , die in BF16 { $gain } keer zo snel zijn als in FP32.
}
fix-cpu-without-matrix-units = Neem voor lange prompts een processor met AMX (Xeon vanaf de vierde generatie); het schrijven van tokens hangt alleen aan de geheugenbandbreedte.
finding-memory-channels-filled = De cijfers gaan ervan uit dat elk geheugenkanaal gevuld is: { $channels } met { $memory } op { $sockets ->
    [one] 1 socket
   *[other] elk van { $sockets } sockets
}, samen { $rate }. Is de helft leeg, dan komen tokens half zo snel.
fix-memory-channels-filled = Kijk in welke sleuven een module zit, of geef --cpu-bandwidth zoals gemeten (maat bench).
