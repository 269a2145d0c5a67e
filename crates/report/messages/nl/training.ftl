### Berichten van: training

task-pretrain = Voortrainen
task-full = Volledig finetunen
task-lora = LoRA
task-qlora = QLoRA
task-dpo = DPO
task-ppo = PPO
task-grpo = GRPO
size-train-fits = { $task } past op { $machine }, met { $spare } over op elke versneller{ $speed-known ->
    [yes] : het traint met { $speed }{ $time-known ->
        [yes] { " " }en is klaar in { $time }
       *[no] { "" }
    }
   *[no] { "" }
}.
size-train-fits-tight = { $task } past net op { $machine }, met { $spare } over op elke versneller{ $speed-known ->
    [yes] : het traint met { $speed }{ $time-known ->
        [yes] { " " }en is klaar in { $time }
       *[no] { "" }
    }
   *[no] { "" }
}. Het hoge eind van de marge past niet.
size-train-does-not-fit = { $task } past niet op { $machine }: { $why }. { $next }
size-train-no-hardware = { $task } van { $model } vraagt { $total } op één versneller, ongedeeld en met alle activaties bewaard; de kleinste die het kan: { $card }.
assumed-seq = reeksen van { $n } tokens
assumed-response = antwoorden van { $n } tokens
assumed-lora-rank = adapters van rang { $n }
assumed-lora-targets = adapters naast elk product van de lagen
assumed-train-precision = gerekend in bf16
assumed-base-precision = basis opgeslagen in { $precision }
assumed-optimizer = adamw
assumed-micro-batch = { $n } { $n ->
    [one] reeks
   *[other] reeksen
} per gang
assumed-zero = { $n ->
    [0] niets verdeeld over de data-parallelle ranks
   *[other] ZeRO-trap { $n }
}
assumed-recompute = activaties opnieuw berekend: { $which }
assumed-offload = in het werkgeheugen van de machine: { $what }
assumed-framework = { $framework }
assumed-dp = dp { $n }
assumed-global-batch = { $n } { $n ->
    [one] reeks
   *[other] reeksen
} per stap
why-first-that-fits = De eerste in de volgorde die past, de snelste bij gelijke.
reason-train-states = Gewichten, gradiënten en de toestand van de optimizer nemen { $states } van elke versneller voor { $trained } getrainde parameters; activaties en logits van { $tokens } tokens nemen { $activations }.
reason-train-adapters = De bevroren basis neemt { $weights }; { $trained } parameters worden getraind, en met hun toestand neemt alles wat blijft { $states }. Activaties en logits van { $tokens } tokens nemen { $activations }.
reason-train-reference = De modellen ernaast (referentie, beloning, criticus) nemen { $bytes }.
reason-step-compute = Rekenwerk is de grens: { $mfu } van de piek gaat naar de bewerkingen van het model zelf.
reason-step-memory = Bytes verplaatsen tussen de producten is de grens: { $mfu } van de piek gaat naar de bewerkingen van het model zelf. Compileren voegt veel daarvan samen.
reason-step-network = Communicatie is de grens: { $mfu } van de piek gaat naar de bewerkingen van het model zelf.
reason-step-launch = Het starten van kernels is de grens: { $mfu } van de piek gaat naar de bewerkingen van het model zelf. Grotere micro-batches helpen.
reason-step-host = Kopieën naar het geheugen en de processors van de machine zijn de grens: { $mfu } van de piek gaat naar de bewerkingen van het model zelf.
reason-train-split-faster = Verdeeld met tp { $tp }, pp { $pp } en ep { $ep } zou het { $gain } sneller zijn; geef deze vlaggen om dat te kiezen.
nearest-recompute = Het past als meer activaties opnieuw berekend worden.
nearest-zero = Het past met ZeRO-3 (FSDP).
nearest-micro-batch = Het past met een micro-batch van { $n }.
nearest-chunked-loss = Het past als de loss in stukken wordt berekend.
nearest-optimizer = Het past met 8-bits AdamW.
nearest-seq = Het past met reeksen van { $n } tokens.
nearest-offload-optimizer = Het past met de toestand van de optimizer in het geheugen van de machine.
nearest-offload-all = Het past met toestand en gewichten in het geheugen van de machine.
nearest-task = Het past met { $task }.
finding-qlora-needs-sharded-base = De ingepakte basis wordt verdeeld over de versnellers (FSDP met QLoRA), en dat kan niet elke bibliotheek.
fix-qlora-needs-sharded-base = Gebruik een versie van PEFT en bitsandbytes die ingepakte gewichten verdeelt, of een versneller waar de basis op past.
finding-network-slow-for-split = Communicatie neemt { $share } van elke stap.
fix-network-slow-for-split = Grotere micro-batches of meer accumulatie, een sneller netwerk, of een verdeling die tensor- en expertparallellisme binnen een node houdt.
finding-generation-not-counted = Snelheid, tijd en kosten zijn die van het leren; het genereren van de antwoorden duurt even lang of langer en telt niet mee.
fix-generation-not-counted = Bereken wat genereert met --task chat en dezelfde lengtes, en tel die tijd erbij op.
finding-accelerators-unused = { $used } van { $total } versnellers worden gebruikt: { $why ->
    [network] hoe de nodes verbonden zijn is niet opgegeven
    [division] de rest gaat niet op in ranks van deze verdeling
   *[batch] een stap heeft { $batch } reeksen, niet meer dan deze tegelijk verwerken
}.
fix-accelerators-unused = Geef --network als de nodes verbonden zijn, een grotere --global-batch als een stap te weinig reeksen heeft, of een verdeling die alle gebruikt.
finding-host-ram-not-stated = Het plan houdt { $need } in het geheugen van de machine, en hoeveel er is, is niet opgegeven.
fix-host-ram-not-stated = Geef --ram op, en controleer dat de machine het heeft.
fault-response-beyond-sequence = Antwoorden van { $response } tokens gaan niet in reeksen van { $seq }.
hint-response-beyond-sequence = Verhoog --seq, of verlaag --response.
fault-adapters-not-for-task = De taak { $task } traint alle gewichten en heeft geen adapters.
hint-adapters-not-for-task = Gebruik --task lora of qlora, of laat --lora-rank, --lora-targets en --base-precision weg.
fault-lora-target-unknown = { $given } is geen matrix die adapters krijgt.
hint-lora-target-unknown = all-linear, attention, of enkele van: { $known }.
fault-epochs-of-nothing = --epochs zegt hoe vaak, maar niet waarvan.
hint-epochs-of-nothing = Geef er --items of --tokens bij.
fault-job-length-twice = De lengte van de klus is meer dan eens gegeven.
hint-job-length-twice = Geef één van --tokens, --items en --steps.
fault-train-precision-unknown = { $given } is geen precisie waarin training rekent.
hint-train-precision-unknown = Een van: { $known }. Hoe een bevroren basis is opgeslagen, is --base-precision.
fault-training-not-tokens = { $model } schrijft of raadt geen tokens, en het trainen van zulke modellen wordt nog niet berekend.
hint-training-not-tokens = Geef een taalmodel, of een taak zonder training.
fault-training-shapes-unknown = Van { $model } zijn alleen de tensoren bekend, niet hoe de lagen tokens mengen.
hint-training-shapes-unknown = Geef de map met config.json.
fault-training-gguf = { $model } is een GGUF-bestand, en dat kan niet getraind worden.
hint-training-gguf = Geef de map van het model of zijn naam.
figure-train = Trainen
figure-train-each = Trainen, elke versneller
figure-step = Stap
figure-mfu = Benutting van de rekenkracht (MFU)
figure-time = Hele klus

advise-train-rent = { $job-known ->
    [yes] { $task } voor { $job } in { $time }: huur { $machine } bij { $provider } voor { $hourly } per uur; het traint met { $speed }.
   *[no] Huur { $machine } bij { $provider } voor { $hourly } per uur: { $task } op { $speed }, { $million } per miljoen tokens.
}
advise-train-own = { $job-known ->
    [yes] { $task } voor { $job } in { $time }: koop { $machine } voor { $purchase }, { $hourly } per gebruikt uur; het traint met { $speed }.
   *[no] Koop { $machine } voor { $purchase }, { $hourly } per gebruikt uur: { $task } op { $speed }, { $million } per miljoen tokens.
}
miss-deadline = de klus duurt { $value }, de grens is { $limit }
limit-train-memory = het vraagt { $need } op elke kaart, die { $have } heeft: { $short } te weinig
limit-batch = een stap van { $batch } reeksen is niet te verdelen over ranks die er { $least } tegelijk nemen
limit-train-precision = { $part } rekent niet in { $precision }
fault-flag-of-training = --{ $flag } zegt hoe er getraind wordt, en de taak is { $task }.
hint-flag-of-training = Geef een --task die traint (pretrain, full, lora, qlora, dpo, ppo, grpo), of laat de vlag weg.
fault-flag-of-serving = --{ $flag } zegt hoe er bediend wordt, en de taak is { $task }.
hint-flag-of-serving = Voor trainen zijn er --seq, --micro-batch en --global-batch; of laat --task weg.
why-one-job = Eén klus betaalt geen machine; geef --kind om andere te vergelijken.
reason-train-failures = Gemiddeld gaat er elke { $every } iets stuk; met elke { $interval } een checkpoint duurt de klus daardoor { $longer } langer, en dat is meegeteld.
finding-checkpoint-no-room = Een checkpoint neemt { $one }, en twee ervan passen niet op schijven met { $room }.
fix-checkpoint-no-room = Grotere schijven of netwerkopslag, of bewaar alleen de gewichten; een checkpoint wordt geschreven voordat de vorige wordt gewist.
limit-disk = de bestanden vragen { $need } schijfruimte, en er is { $have }: { $short } te weinig
fault-model-writes-no-tokens = { $model } leest en schrijft geen tokens; dit wordt alleen voor taalmodellen berekend.
hint-model-writes-no-tokens = maat size { $model } --gpu NAAM zegt of het op een machine past en hoe snel het daar is.
