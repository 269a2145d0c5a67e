### Berichten van: catalogue import

fault-import-empty = De prijslijst is leeg.
fault-import-columns = De kolommen zijn die van geen prijslijst: { $columns }.
hint-import-columns = Bekend zijn de CSV van gpuhunt (instance_name, gpu_name, price …), van SkyPilot (InstanceType, AcceleratorName, Price …), en een lijst met een kolom gpu en een van price_per_hour, price_per_gpu_hour of purchase_price.
fault-import-column-missing = De kolom { $column } ontbreekt.
hint-import-column-missing = Laat --from weg om de vorm te laten herkennen.
fault-import-nothing-kept = Er is geen prijs te bewaren: { $reason }.
hint-import-nothing-kept = Er is niets veranderd. Bekijk de eerste regels van het bestand.
fault-import-too-many-rows = De prijslijst heeft meer dan { $most } rijen.
fault-import-unreadable = De prijslijst is niet te lezen: { $given }.
fault-import-not-stored = De prijzen zijn niet op te slaan: { $given }.
hint-import-not-stored = De prijzen die er waren zijn onveranderd.
fault-import-no-folder = Er is geen map voor eigen gegevens.
hint-import-no-folder = Zet HOME of XDG_DATA_HOME.

verdict-import = { $n ->
    [one] Eén prijs
   *[other] { $n } prijzen
} van { $providers ->
    [one] één aanbieder
   *[other] { $providers } aanbieders
} bewaard, uit { $rows } rijen.
verdict-import-dry = { $n ->
    [one] Eén prijs
   *[other] { $n } prijzen
} van { $providers ->
    [one] één aanbieder
   *[other] { $providers } aanbieders
} te bewaren, uit { $rows } rijen; er is niets opgeslagen.
assumed-import-observed = prijzen zonder datum gezien op { $date }
why-import-observed = Het bestand noemt geen dag; geef --observed voor de dag waarop het is geschreven.
finding-import-provider-refused = De meeste rijen zijn niet te lezen ({ $rows }), dus de laatste goede prijzen blijven.
finding-import-rows-skipped = { $rows ->
    [one] Eén rij is
   *[other] { $rows } rijen zijn
} niet bewaard: { $why }.
import-skipped-no-accelerator = er is geen versneller
import-skipped-host-priced-apart = het is de prijs van een versneller zonder de machine eromheen
import-skipped-part-of-an-accelerator = het is een deel van een versneller
import-skipped-price-unreadable = de prijs is niet te lezen
import-skipped-count-unreadable = het aantal is niet te lezen
import-skipped-part-missing = er is geen onderdeel genoemd
import-skipped-part-unknown = de catalogus kent het onderdeel niet
import-skipped-date-unreadable = de datum is niet te lezen
import-skipped-spot-above-on-demand = de spotprijs ligt boven de gewone prijs
column-import-kept = Bewaard
column-import-skipped = Niet bewaard
column-import-file = Bestand
import-next-offers = Wat er nu te krijgen is:
