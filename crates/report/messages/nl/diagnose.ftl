### What monitoring tools show: verdicts, findings, what to do, what would refute it, what to run next.

## Verdicts

diagnose-likely = Waarschijnlijk: { $sentence }
diagnose-healthy-busy = Er is niets mis: de GPU is bezet en is zelf de grens.
diagnose-healthy-idle = Er is niets mis: de GPU heeft geen werk.
diagnose-healthy-host = Er is niets mis met wat van de machine te zien is; een GPU is er niet bij.
diagnose-healthy-but = Er is niets mis. Ter informatie: { $note }
diagnose-not-enough-data = Dit is te weinig om te zeggen wat het werk ophoudt.
diagnose-utilization-alone = De GPU is alleen volgens de bezettingsgraad bezet, en die telt een bijna lege GPU als vol; vermogen of activiteit zou het zeggen.
diagnose-one-look = De GPU heeft werk en stond stil op het ene moment dat te zien is; dat is te weinig om te zeggen dat hij wacht.
diagnose-waits-for-unknown = De GPU staat { $idle } van de tijd stil; waarop hij wacht is hier niet te zien.

## Findings

finding-wrong-device = Het werk draait op de processor en niet op de GPU.
finding-gpu-shared = Meerdere programma's rekenen op dezelfde GPU.
finding-ecc-xid-fault = De GPU meldt een fout van hardware of driver.
finding-hw-power-brake = De hardware remt de GPU af vanwege de stroomtoevoer, niet vanwege warmte.
finding-thermal-throttle = De GPU remt af omdat hij te warm wordt.
finding-nvlink-down = NVLink is niet compleet: verbindingen ontbreken, zijn traag of de fabric is niet gereed.
finding-pcie-link-degraded = De PCIe-verbinding van de GPU is onder belasting trager dan beide kanten kunnen.
finding-vram-insufficient-offload = Het model past niet in het geheugen van de GPU; een deel draait op de processor of wordt teruggenomen.
finding-host-memory-swap = De machine komt werkgeheugen tekort en wisselt met de schijf of staat stil.
finding-cpu-oversubscription = De workers van de dataloader draaien veel meer threads dan er kernen zijn.
finding-cpu-quota = De CPU-limiet van de container houdt de processen tegen terwijl de machine kernen over heeft.
finding-storage-iops-small-files = De schijf zit aan zijn grens door veel kleine leesopdrachten.
finding-storage-throughput = De schijf zit aan zijn grens en het werk wacht erop.
finding-network-filesystem = Het werk wacht op een bestandssysteem via het netwerk; de lokale schijven zijn rustig.
finding-cpu-preprocessing = Alle processorkernen zijn bezet: de processor is de grens, bij een dataloader de datavoorbereiding.
finding-page-cache-overflow = De data passen niet in het werkgeheugen, dus elke ronde leest de schijf opnieuw.
finding-single-thread-host = Eén thread van de host zit aan zijn grens en laat de GPU wachten; de andere kernen zijn vrij.
finding-network-tcp-fallback = NCCL gaat over TCP hoewel er een snellere weg kan zijn.
finding-p2p-blocked-iommu-acs = De GPU's van deze machine bereiken elkaar trager dan de bus toelaat.
finding-network-fabric = RDMA wordt gebruikt, maar ver onder de snelheid van de adapters.
finding-numa-affinity = Een proces draait of bewaart zijn geheugen ver van zijn GPU.
finding-pcie-saturated = Verkeer tussen processor en GPU vult de PCIe-verbinding.
finding-clocks-locked = De klok van de GPU blijft laag hoewel niets hem afremt.
finding-power-cap = De vermogenslimiet houdt de klok van de GPU laag.
finding-small-grid-low-occupancy = De GPU lijkt alleen bezig: zijn werk is te klein om hem te vullen.
finding-request-starvation = De engine heeft weinig verzoeken en geen wachtrij: hij is niet de grens.

## What to do

fix-wrong-device = Installeer de versie van het framework voor deze GPU en controleer of het programma erom vraagt; maat doctor zegt welke versie past.
fix-gpu-shared = Stop of verplaats de andere programma's, of verdeel de GPU bewust (MIG, MPS).
fix-ecc-xid-fault = Haal de machine uit dienst, reset de GPU, draai de diagnose (dcgmi diag -r 3) en vervang hem als de fout terugkomt.
fix-hw-power-brake = Controleer voeding, kabels en de vermogenslimiet van het chassis (BMC) en meet opnieuw.
fix-thermal-throttle = Verbeter de koeling: ventilatoren, filters, ruimte tussen kaarten, koelere lucht; een lagere vermogenslimiet helpt meteen.
fix-nvlink-down = Herstart de fabric manager, reset de GPU, plaats brug of kaart opnieuw.
fix-pcie-link-degraded = Plaats de kaart opnieuw, controleer riser en kabel, de BIOS-instellingen van het slot (lanes, generatie) en energiebesparing (ASPM).
fix-vram-insufficient-offload = Maak het passend: een kleinere kwantisatie, een kortere context, een gekwantiseerde KV-cache of een GPU met meer geheugen.
fix-host-memory-swap = Gebruik minder workers, minder vooruit lezen, geen memory-map van de hele dataset, of voeg geheugen toe.
fix-allocator-thrash = Laat de allocator zijn segmenten uitbreiden, gebruik vaste vormen of een kleinere batch.
fix-cpu-oversubscription = Eén thread per worker: torch.set_num_threads(1) in worker_init_fn, OMP_NUM_THREADS=1 en verwanten.
fix-cpu-quota = Verhoog de limiet en kies het aantal workers naar de limiet, niet naar de kernen van de machine.
fix-storage-iops-small-files = Pak de bestanden samen in grote (tar-shards, LMDB, Parquet) of zet ze op NVMe.
fix-storage-throughput = Zet de data op snellere opslag (NVMe, meerdere schijven), kopieer ze eerst naar een lokale schijf of comprimeer ze.
fix-network-filesystem = Kopieer of cache de data lokaal, lees in grotere stukken, gebruik meer verbindingen (nconnect).
fix-cpu-preprocessing = Meer kernen per GPU, decoderen op de GPU (DALI, nvJPEG), gedecodeerde data bewaren, goedkopere augmentatie.
fix-checkpoint-eval-stall = Schrijf checkpoints asynchroon en verdeeld, of minder vaak.
fix-data-loader-wait = Geef de loader meer workers en laat hem vooruit werken: num_workers, prefetch_factor, persistent_workers, pin_memory.
fix-page-cache-overflow = Meer geheugen, kleinere bestanden, snellere opslag, of lezen in de volgorde van de shards.
fix-single-thread-host = Een nieuwere engine of asynchrone planning, meer API-processen, minder werk per token (penalties, logprobs), een processor die sneller is op één kern.
fix-network-tcp-fallback = Geef de taak toegang tot het RDMA-apparaat (apparaat en libibverbs in de container), controleer NCCL_IB_DISABLE en NCCL_IB_HCA.
fix-p2p-blocked-iommu-acs = Zonder virtualisatie: IOMMU en ACS uit in de BIOS, meer NUMA-knooppunten per socket (NPS4 bij EPYC); anders NCCL beperken tot wat werkt (NCCL_P2P_LEVEL).
fix-network-fabric = Test de verbindingen (ib_write_bw): daar ook traag wijst op kabel of switch, snel op instellingen (QoS, ECN, rails, GPUDirect).
fix-numa-affinity = Bind elke rank aan de kernen en het geheugen van zijn GPU (numactl, --cpu-bind).
fix-h2d-pageable = Zet het geheugen vast en kopieer zonder te wachten: pin_memory=True, non_blocking=True.
fix-pcie-saturated = Houd data op de GPU, kopieer grotere en vastgezette batches, verdeel het model anders of gebruik een bredere verbinding.
fix-exposed-communication = Laat communicatie samenvallen met rekenwerk: bucketgrootte, vooruit ophalen, minder en grotere stappen.
fix-straggler-rank = Kijk naar de trage rank: zijn data, klok en temperatuur van zijn GPU, zijn knooppunt.
fix-pipeline-bubble = Meer micro-batches (minstens vier keer de trappen), of verweven trappen.
fix-recompiles = Merk wisselende maten aan als dynamisch (dynamic=True), of vul aan tot enkele vaste vormen.
fix-host-device-sync = Lees binnen de lus geen waarden terug (.item(), .cpu(), print).
fix-launch-bound = CUDA- of HIP-graphs, torch.compile, samengevoegde kernels of grotere batches.
fix-clocks-locked = Maak de instelling ongedaan: nvidia-smi -rgc, nvidia-smi -rac, en de geheugenklok met -rmc.
fix-power-cap = Verhoog de limiet waar voeding en koeling dat toelaten, of aanvaard hem; kijk eerst naar de geheugenklok: werk dat op geheugen wacht wint er niets mee.
fix-tensor-cores-unused = Sta TF32 toe (set_float32_matmul_precision('high')), gebruik bf16-autocast, en maten die veelvouden van 8 zijn.
fix-small-grid-low-occupancy = Grotere batches, klein werk samenvoegen, of de GPU delen (MIG, MPS).
fix-request-starvation = Stuur meer verzoeken tegelijk, of controleer de client en de lastgenerator.
fix-memory-bandwidth = Dit is de aard van het werk, geen fout. Sneller kan met kwantisatie, samenvoegen, grotere decodeerbatches of een GPU met meer bandbreedte.
fix-warmup-jit = Laat de eerste stappen buiten metingen, en bewaar de compilatiecache.

## What would refute it

refuted-wrong-device = Een proces van het programma staat in de lijst van de GPU en gebruikt zijn geheugen.
refuted-gpu-shared = Slechts één proces doet werk op de GPU (nvidia-smi pmon).
refuted-ecc-xid-fault = Geen Xid in het kernellogboek; geen onherstelbare fouten en geen rijen die nog omgezet moeten worden.
refuted-hw-power-brake = HW Slowdown en HW Power Brake zijn niet actief onder belasting.
refuted-thermal-throttle = De temperatuur blijft 15 graden onder de grens en er is geen thermische reden actief.
refuted-nvlink-down = Alle verbindingen van alle GPU's zijn actief met dezelfde snelheid.
refuted-pcie-link-degraded = Onder belasting heeft de verbinding de volle generatie en breedte; in rust is een lage generatie normaal.
refuted-vram-insufficient-offload = Het logboek van de engine zegt dat alle lagen op de GPU staan.
refuted-host-memory-swap = Er wordt tijdens het werk niets in- of uitgewisseld.
refuted-allocator-thrash = Na het opwarmen wordt niets meer toegewezen of opnieuw geprobeerd.
refuted-cpu-oversubscription = Geen worker gebruikt meer dan één kern en de wachtrij is niet langer dan het aantal kernen.
refuted-cpu-quota = nr_throttled groeit niet tussen twee metingen.
refuted-storage-iops-small-files = Leesopdrachten zijn groot (rareq-sz) of hoeven niet te wachten.
refuted-storage-throughput = Opdrachten staan niet in de rij (aqu-sz onder 1) en wachten minder dan 1 ms op NVMe of 10 ms op een harde schijf.
refuted-network-filesystem = Een lokale schijf is juist druk, of niets wacht.
refuted-cpu-preprocessing = Er zijn kernen vrij, of workers wachten op een schijf (toestand D).
refuted-checkpoint-eval-stall = De GPU staat niet op vaste tijden stil.
refuted-data-loader-wait = De loader neemt minder dan 2% van de stap.
refuted-page-cache-overflow = De dataset is kleiner dan het vrije geheugen.
refuted-single-thread-host = Meerdere threads zijn bezig, of de GPU zit boven 90%.
refuted-network-tcp-fallback = Het logboek van NCCL zegt NET/IB.
refuted-p2p-blocked-iommu-acs = All-reduce binnen de machine haalt 12 GB/s of meer.
refuted-network-fabric = ib_write_bw en all-reduce halen de snelheid van de lijn.
refuted-numa-affinity = De kernen van het proces zijn die van zijn GPU in nvidia-smi topo -m.
refuted-h2d-pageable = Kopieën komen uit vastgezet geheugen of kosten minder dan 1% van de tijd.
refuted-pcie-saturated = Beide richtingen samen blijven onder 20% van de verbinding.
refuted-exposed-communication = Meer dan 80% van de communicatie loopt naast het rekenwerk.
refuted-straggler-rank = Alle ranks besteden evenveel tijd in NCCL.
refuted-pipeline-bubble = Er wordt niets tussen ranks verzonden en ontvangen.
refuted-recompiles = Na de eerste stappen wordt niets gecompileerd.
refuted-host-device-sync = De GPU werkt door terwijl de host wacht.
refuted-launch-bound = Er staan veel starts klaar, of kernels duren meer dan 100 µs.
refuted-clocks-locked = Onder belasting is de klok bijna maximaal, of een reden verklaart hem.
refuted-power-cap = Het verbruik ligt onder de limiet, of de klok is maximaal.
refuted-tensor-cores-unused = De tensorkernen zijn actief, of er zijn nauwelijks matrixproducten.
refuted-small-grid-low-occupancy = Meer dan 80% van de multiprocessors is actief (DCGM 1002).
refuted-request-starvation = Er wachten verzoeken.
refuted-memory-bandwidth = Het geheugen is minder dan 40% van de tijd actief.
refuted-warmup-jit = Latere stappen zijn even traag.

## What to run next

diagnose-ask-gpu = Hoe de GPU wordt gebruikt, seconde na seconde
diagnose-ask-host = Wat processor, wachtrij en geheugen intussen doen
diagnose-ask-disk = Of een schijf aan zijn grens zit
diagnose-ask-pressure = Waar taken op wachten: processor, schijf of geheugen
diagnose-ask-network = Wat er over het netwerk komt
diagnose-ask-processes = Wat elk proces op de GPU doet
diagnose-ask-profile = Hoeveel van de GPU werkt: multiprocessors, tensorkernen, geheugen
diagnose-ask-topology = Hoe GPU's, adapters en kernen verbonden zijn
diagnose-ask-collectives = Welke weg NCCL neemt en hoe snel die is
diagnose-ask-preemption = Of het aantal verdringingen groeit: het telt vanaf de start van de engine
diagnose-ask-peers = Waarom GPU's elkaar niet rechtstreeks bereiken: chipset, instellingen of de kaarten zelf
diagnose-ask-slices = Hoe druk elk deel van de GPU is
diagnose-ask-trace = Waar de GPU op wacht tussen zijn kernels

## Parts of the page

diagnose-files-label = Gelezen:
diagnose-file-unknown = niet herkend
diagnose-column-code = code
diagnose-column-confidence = zekerheid
diagnose-column-signals = signalen
diagnose-confidence-high = hoog
diagnose-confidence-likely = waarschijnlijk
diagnose-next-doctor = Controleer de softwarestack

## Faults

fault-kind-unknown = { $given } is geen soort uitvoer.
hint-kind-unknown = Een van: { $expected }.
fault-nothing-to-read = Er is geen bestand opgegeven.
hint-nothing-to-read = Geef bestanden, - voor standaardinvoer, of --watch 30s voor deze machine.
fault-record-failed = De opname kan niet worden geschreven: { $problem }
fault-input-not-recognised = De inhoud is niet herkend als uitvoer van een bekend programma.
hint-input-not-recognised = Verwacht: { $expected }.

## Milder forms

diagnose-xid-program = De toegang van een programma tot de GPU mislukte; dat hoeft niet aan de hardware te liggen.
diagnose-fix-xid-program = Zoek de fout eerst in het programma (toegang buiten het geheugen, een verkeerde bibliotheek); test de hardware pas als het ook met andere programma's gebeurt.
diagnose-against = { $diff } Nu: { $now }
fault-against-needs-traces = Alleen traces zijn met een eerdere te vergelijken.
hint-against-needs-traces = Geef als FILE een trace van torch.profiler en als --against een eerdere van hetzelfde werk.
fault-folder-empty = De map bevat geen bestanden.
hint-folder-empty = Geef een map met traces of uitvoer van hulpmiddelen, of de bestanden zelf.

diagnose-slices-unseen = De GPU is in delen gesneden (MIG) waarin werk staat; hoe druk die zijn, zegt de GPU als geheel niet.
diagnose-processors-busy = Alle processorkernen zijn bezet. Als dit werk gegevens voor een GPU voorbereidt, laat het de GPU wachten.
diagnose-fix-processors-busy = Kijk welke programma's de kernen vullen (top), en neem tegelijk de GPU op.
diagnose-processors-full = De processors zijn vol; of dat een versneller ophoudt, is hieruit niet te zien.
fault-watch-zero = --watch is 0.
hint-watch-zero = Geef een tijd, zoals 30s.
