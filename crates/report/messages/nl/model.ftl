### Berichten van: model

params-plain = { $n } parameters
params-million = { $n } miljoen parameters
params-billion = { $n } miljard parameters

quantity-plain = { $n }
quantity-million = { $n } miljoen
quantity-billion = { $n } miljard

model-verdict = { $name } heeft { $params }, { $bytes } in { $precision }, en { $cache }.
model-verdict-sparse = { $name } heeft { $params }, waarvan een token er { $active } gebruikt, { $bytes } in { $precision }, en { $cache }.
model-cache-per-token = bewaart { $bytes } aan cache per token
model-cache-windows = bewaart { $bytes } aan cache per token, naast hooguit { $windows } in vensters
model-cache-only-windows = bewaart hooguit { $windows } aan cache in vensters, hoe lang de reeks ook is
model-cache-state = bewaart { $bytes } aan toestand per reeks, hoe lang die ook is
model-cache-none = bewaart geen cache
model-cache-unknown = een cache die uit de tensors alleen niet blijkt

model-layers = { $n } lagen
model-hidden = breedte { $n }
model-heads = { $n } koppen
model-kv-heads = { $n } KV-koppen
model-head-dim = koppen van { $n }
model-vocabulary = woordenschat van { $n }
model-context = tot { $n } tokens
model-next-size = Past het op een machine, en hoe snel is het:
model-next-advise = De goedkoopste hardware voor twintig mensen:

model-assumed-key = { $key } = { $value }
model-assumed-key-why = De configuratie vermeldt het niet; dit neemt de bibliotheek dan aan.
model-assumed-dtype = gewichten in { $dtype }
model-assumed-dtype-why = De configuratie vermeldt geen dtype; de meeste modellen van nu zijn zo opgeslagen. De bestanden met gewichten, of --precision, zeggen het.
model-assumed-mtp = lagen voor multi-token prediction niet meegeteld
model-assumed-mtp-why = De configuratie noemt ze, maar van deze familie is hun vorm niet bekend; de .safetensors-bestanden zeggen hoeveel bytes het zijn.

model-active-share = een token gaat door { $share } van de parameters
column-sequence-tokens = Tokens
column-keeps = Bewaart
column-growing = Groeit door
column-constant = Blijft gelijk
column-part = Deel
column-params = Parameters
column-share = Aandeel
column-cache = Cache
column-layers = Lagen
column-per-token = Per token
column-window = Venster (tokens)
column-state = Per reeks

model-compare-both = { $weights }; { $caches }.
model-compare-one = { $weights }.
model-compare-weights = { $name } is het lichtst, { $bytes }
model-compare-weights-draw = Geen is lichter dan een ander ({ $bytes })
model-compare-caches = { $name } bewaart van een reeks van { $tokens } tokens het minst, { $bytes }
model-compare-caches-too = het bewaart ook het minst van een reeks van { $tokens } tokens, { $bytes }
model-compare-caches-draw = geen bewaart minder van een reeks van { $tokens } tokens dan een ander ({ $bytes })
model-compare-legend = * het beste; = overal gelijk
hint-model-compare-count = Bijvoorbeeld: maat model qwen3-8b llama-3.1-8b.
model-row-params-total = parameters
model-row-params-active = actief per token
model-row-params-mtp = multi-token prediction
model-row-weights-bytes = gewichten
model-row-precision = precisie
model-row-layers = lagen
model-row-hidden = breedte
model-row-heads = koppen
model-row-kv-heads = KV-koppen
model-row-head-dim = breedte van een kop
model-row-vocabulary = woordenschat
model-row-context-max-tokens = meeste tokens
model-row-kv-bytes-per-token = cache per token
model-row-kept-at-8192-bytes = bewaard bij 8.192 tokens
model-row-kept-at-32768-bytes = bewaard bij 32.768 tokens
model-row-kept-at-most-bytes = bewaard bij het meeste aan tokens
model-row-licence = licentie
model-same-label = Gelijk
model-licence = licentie { $name }
column-bar = Balk
column-component = Onderdeel
column-precision = Precisie
model-next-compare-size = Past een ervan op een machine, en hoe snel is het:

part-embedding = embeddings
part-attention = attention
part-mlp = feed-forward
part-routed-experts = gekozen experts
part-shared-experts = gedeelde experts
part-router = router
part-norm = normen
part-head = uitvoerkop
part-towers = torens (beeld, geluid)
part-state-space = toestandsruimte, lineaire attention
part-other = overig
part-total = totaal

cache-full = alle tokens
cache-window = venster
cache-mla = latent (MLA)
cache-linear = lineaire attention
cache-ssm = toestandsruimte
cache-cross = kruis-attention

fault-model-unknown = Er is geen bestand of ingebouwd model { $name }.
hint-model-unknown = Geef een map met config.json, een .safetensors- of .gguf-bestand, een ingebouwde naam of een omvang zoals 7B.
hint-model-near = Namen die erop lijken: { $names }. Of geef een map met config.json, een .safetensors- of .gguf-bestand of een omvang zoals 7B.
fault-model-ambiguous = { $name } is de naam van meer dan één model.
hint-model-ambiguous = Zeg welk: { $names }.

fault-architecture-unknown = { $architecture } (model_type { $family }) is geen bekende architectuur.
hint-architecture-unknown = Er zijn twee uitwegen: geef de .safetensors-bestanden van het model, waarvan de koppen alle maten vermelden, of zet model_type op een familie met dezelfde vormen (in de buurt: { $near }).
hint-architecture-unlike = Er zijn twee uitwegen: geef de .safetensors-bestanden van het model, waarvan de koppen alle maten vermelden, of zet model_type op een familie met dezelfde vormen.
fault-config-key-missing = De configuratie heeft geen { $key }, en de familie heeft er geen standaard voor.
fault-config-not-an-object = Het bestand is geen configuratie: er staat geen JSON-object in.
fault-config-not-a-size = { $key } is { $value }, en dat is geen geheel getal boven 0.
fault-config-too-large = { $key } is { $value }, en zo groot is geen enkel model.
fault-config-not-a-flag = { $key } is { $value }, en dat is niet true of false.
fault-config-not-a-divisor = { $key } is { $value }, en dat deelt { $whole } niet.
fault-config-heads-uneven = { $heads } attention-koppen zijn niet gelijk over { $kv_heads } KV-koppen te verdelen, dus geen engine draait dit model.
fault-config-not-a-list = { $key } is { $value }, en dat is geen lijst.
fault-config-not-described = { $key } is { $value }, en dat vraagt vormen die hier niet beschreven zijn.
hint-config-not-described = Geef de map met de .safetensors-bestanden: de koppen vermelden alle maten.
fault-config-list-length = { $key } heeft { $length } waarden voor { $layers } lagen.
fault-config-dtype-unknown = Het type { $value } is niet bekend.
fault-config-pattern = { $key } is { $value }, met een letter die voor geen soort laag staat.
fault-precision-unknown = { $name } is geen precisie van gewichten.
hint-precision-unknown = Kies uit: { $names }.
fault-kv-precision-unknown = { $name } is geen precisie van caches.
hint-kv-precision-unknown = Kies uit: { $names }; sleutels en waarden apart als q8_0,q4_0.
fault-file-unreadable = Het bestand is niet te lezen: { $why }.
fault-file-not-regular = Dit is geen bestand.
fault-file-too-large = Het bestand is groter dan { $limit }, en zo groot is geen enkele configuratie.
fault-file-too-many-values = Het bestand bevat { $count } waarden; er worden er hooguit { $limit } gelezen.
fault-file-not-json = Het bestand is geen JSON: { $why }.
fault-facts-unreadable = De ingebouwde feiten zijn niet te lezen. Dit is een fout van maat.

### Bestanden van modellen

fault-file-missing = Er is geen bestand { $name }.
fault-file-truncated = Het bestand houdt te vroeg op, bij byte { $byte }.
fault-file-empty = Het bestand bevat geen tensoren.
fault-folder-without-model = De map bevat geen config.json, .safetensors- of .gguf-bestand.
fault-safetensors-header = De kop van dit safetensors-bestand zou { $length } zijn; er wordt hooguit { $limit } gelezen.
fault-safetensors-tensor = De tensor { $tensor } vermeldt een { $what } die niet bij de rest past.
fault-gguf-magic = Dit is geen GGUF-bestand: het begint niet met GGUF.
fault-gguf-version = GGUF-versie { $version } is niet te lezen; versie 2 en 3 wel.
fault-gguf-count = De kop vermeldt { $count } onderdelen, meer dan de { $limit } die worden gelezen.
fault-gguf-header-too-long = De kop is langer dan { $limit }.
fault-gguf-value = De waarde van { $key } is niet te gebruiken.
fault-gguf-value-type = De metagegevens bevatten een waarde van type { $type }, dat GGUF niet kent.
fault-gguf-nesting = De metagegevens bevatten lijsten in lijsten, te diep om te lezen.
fault-gguf-dimensions = De tensor { $tensor } heeft { $count } dimensies, meer dan GGUF toestaat.
fault-gguf-shape = De tensor { $tensor } heeft een vorm die niet bij het type past.
fault-gguf-type-unknown = De tensor { $tensor } heeft type { $type }, waarvan de grootte niet bekend is.
fault-gguf-not-first = Dit is een deel van een gesplitst bestand; geef het eerste deel, dat eindigt op -00001-of-….gguf.
fault-quantisation-unknown = De kwantisatie { $method } is niet bekend.
hint-quantisation-unknown = Geef de .safetensors-bestanden van het model: de koppen vermelden elke grootte. Of kies de precisie van de gewichten met --precision.
hint-architecture-missing = Een configuratie van Transformers noemt de familie in model_type of de klasse in architectures; zonder een van beide zijn de .safetensors-bestanden nodig.
model-assumed-caches = caches onbekend
model-assumed-caches-why = Er zijn alleen tensoren gegeven; wat per token wordt bewaard, staat in de configuratie.
model-assumed-shape = { $layers } lagen van breedte { $hidden }, { $heads } koppen, { $kv_heads } KV-koppen
model-assumed-shape-why = Er is alleen een grootte gegeven; dit is een gangbare dichte vorm van die grootte.

finding-heads-uneven = { $heads } attention-koppen zijn niet gelijk over { $kv_heads } KV-koppen te verdelen, dus geen engine draait dit model.
