### Messages of: catalogue import

fault-import-empty = The price list is empty.
fault-import-columns = The columns are those of no price list: { $columns }.
hint-import-columns = Known are the CSV of gpuhunt (instance_name, gpu_name, price …), of SkyPilot (InstanceType, AcceleratorName, Price …), and a list with a column gpu and one of price_per_hour, price_per_gpu_hour or purchase_price.
fault-import-column-missing = The column { $column } is missing.
hint-import-column-missing = Leave out --from to have the convention recognised.
fault-import-nothing-kept = No price can be kept: { $reason }.
hint-import-nothing-kept = Nothing was changed. See the first lines of the file.
fault-import-too-many-rows = The price list has more than { $most } rows.
fault-import-unreadable = The price list cannot be read: { $given }.
fault-import-not-stored = The prices cannot be stored: { $given }.
hint-import-not-stored = The prices that were there are unchanged.
fault-import-no-folder = There is no folder for own data.
hint-import-no-folder = Set HOME or XDG_DATA_HOME.

verdict-import = { $n ->
    [one] One price
   *[other] { $n } prices
} of { $providers ->
    [one] one provider
   *[other] { $providers } providers
} kept, out of { $rows } rows.
verdict-import-dry = { $n ->
    [one] One price
   *[other] { $n } prices
} of { $providers ->
    [one] one provider
   *[other] { $providers } providers
} would be kept, out of { $rows } rows; nothing was stored.
assumed-import-observed = prices without a date seen on { $date }
why-import-observed = The file names no day; give --observed for the day that it was written.
finding-import-provider-refused = Most of its rows cannot be read ({ $rows }), so its last good prices stay.
finding-import-rows-skipped = { $rows ->
    [one] One row is
   *[other] { $rows } rows are
} not kept: { $why }.
import-skipped-no-accelerator = there is no accelerator
import-skipped-host-priced-apart = it is the price of an accelerator without the machine around it
import-skipped-part-of-an-accelerator = it is a part of an accelerator
import-skipped-price-unreadable = the price cannot be read
import-skipped-count-unreadable = the count cannot be read
import-skipped-part-missing = no part is named
import-skipped-part-unknown = the catalogue does not know the part
import-skipped-date-unreadable = the date cannot be read
import-skipped-spot-above-on-demand = the spot price lies above the price on demand
column-import-kept = Kept
column-import-skipped = Not kept
column-import-file = File
import-next-offers = What is to be had now:
