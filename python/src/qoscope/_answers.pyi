"""Types of the answers of the engine, as JSON has them: `node scripts/python-types.mjs` writes this file."""

from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired

# What sets one class apart from another.
Aim: TypeAlias = Literal["quality", "deadlines", "nothing"]

# One of several alternatives.
class Alternative(TypedDict):
    # What it is called.
    title: str
    # The fields that it changes, by path; none where it is the scenario as it is.
    set: dict[str, Any]

# What the samples of a longer time come to.
Average: TypeAlias = Literal["mean", "sum", "least", "greatest", "byRequests", "none"]

# What holds requests back, as a run stands now.
class Bottleneck(TypedDict):
    # Share of its rate that the link carried that most of the traffic shares, over the time of "now".
    utilisation: float
    # It holds requests back.
    saturated: bool
    # By device: it holds requests back, over the same time.
    backlogged: list[bool]
    # By device: commands that waited for it, before it and inside, the mean over the same time.
    waiting: list[float]
    # The first device that holds requests back while the network would carry more; none where the network has that part.
    device: int | None
    # Why K has no effect now, or little, as a sentence; `None` while no device limits throughput.
    idleThreshold: str | None
    # Why no class has a target in Gb/s, of the later half of all that has run since the warm-up: charts of a whole run go by that, which are not to change with every burst. None where the network decides what classes get.
    outOfReach: OutOfReach | None

# Burstiness at one scale.
class Burstiness(TypedDict):
    # Length of the windows.
    windowUs: float
    # Most requests in any window.
    most: int
    # Variance over mean of the requests in a window, 1 for a Poisson process; none where windows are too few.
    dispersion: float | None

# What the contracts of a scenario need, by the lemma alone. Capacities and rates are in requests a second.
class CapacityNeeds(TypedDict):
    # Capacity of a server; none where its devices have no constant capacity.
    capacityIops: float | None
    # Capacity that all contracts together need.
    needIops: float
    # What those who are admitted leave of the capacity.
    leftIops: float | None
    # By class.
    tenants: list[TenantNeeds]

# The plan of a scenario. Capacities and rates are in requests a second.
class CapacityPlan(TypedDict):
    # Capacity of a server; none where its devices have no constant capacity.
    capacityIops: float | None
    # Capacity that all contracts together need.
    needIops: float
    # What those who are admitted leave of the capacity.
    leftIops: float | None
    # By class.
    tenants: list[TenantPlan]
    # How tenants fare on a server of constant capacity under every scheduler: one of the capacity above, else of what they need.
    outcomes: list[SchedulerOutcome]

# Everything that can be said, asked for and measured.
class Catalogue(TypedDict):
    # Version of the scenario format.
    version: int
    # Length of the longest document that is read, in bytes.
    maximumBytes: int
    # The fields of the document.
    document: CatalogueField
    # The transports that a class may use.
    transports: list[CatalogueTransport]
    # The arbitrations of NVMe controllers.
    arbitrations: list[CatalogueArbitration]
    # The schedulers that a storage server may have before its devices.
    tenantSchedulers: list[CatalogueScheduler]
    # The quantities that are measured.
    metrics: list[MetricEntry]
    # The stages of requests.
    stages: list[StageEntry]

# What an arbitration looks at.
class CatalogueArbitration(TypedDict):
    # The word, as the document has it.
    value: str
    # Its name on the screen.
    title: str
    # What it means.
    sentence: str
    # It looks at the priorities of queues.
    byPriority: bool
    # It goes by the weights of high, medium and low priority.
    weighs: bool
    # The limit on commands in the device applies.
    limitsDevice: bool

# A field of the document.
class CatalogueField(TypedDict):
    # Its name in the object around it; empty for the elements of a list.
    name: str
    # Its path, `[]` standing for any position: `classes[].dirs.recoveryUs`.
    path: str
    # Name on the screen.
    title: str
    # What it means.
    sentence: str
    # What it holds.
    form: FieldForm
    # It must be given.
    required: NotRequired[bool]
    # It may be left empty, which is a value of its own.
    optional: NotRequired[bool]
    # Unit of the number.
    unit: NotRequired[str]
    # Symbol in the papers.
    symbol: NotRequired[str]
    # Least legal number.
    minimum: NotRequired[float]
    # Greatest legal number.
    maximum: NotRequired[float]
    # Most elements of the list, or letters of the text.
    longest: NotRequired[int]
    # What holds where the document leaves it out.
    default: NotRequired[Any]
    # Where that comes from.
    source: NotRequired[str]
    # It may change while a run goes on.
    live: NotRequired[bool]
    # The part of the range that a slider covers.
    slider: NotRequired[Slider]
    # Transports that use it, or the object around it; all of them where it is absent.
    transports: NotRequired[list[str]]
    # Fields that stand together on the screen, where they are not simply those of one object.
    group: NotRequired[str]
    # Few scenarios need it: it stands folded away.
    detail: NotRequired[bool]
    # It leads the object around it, and stays in sight when the others are folded away.
    lead: NotRequired[bool]
    # It tells readers something, and no result depends on it: it changes without touching a run.
    annotation: NotRequired[bool]
    # The words that it may hold.
    options: NotRequired[list[Choice]]
    # Fields of the object that it holds, in the order of the screen.
    fields: NotRequired[list[CatalogueField]]
    # The kinds of object that it may hold.
    variants: NotRequired[list[Variant]]
    # An element of the list that it holds, where these are objects.
    items: NotRequired[CatalogueField]

# What a scheduler of tenants goes by.
class CatalogueScheduler(TypedDict):
    # The word, as the document has it.
    value: str
    # Its name on the screen.
    title: str
    # What it means.
    sentence: str
    # It divides the server by the weights of the tenants.
    usesWeights: bool
    # It goes by the envelopes and response times that tenants are promised.
    usesContracts: bool
    # It goes by the burst ladder, and by the groups and burst bits of tenants.
    usesLadder: bool
    # It may keep requests waiting before an idle server.
    holdsRequests: bool
    # It tells the nested classes of a tenant apart, so that devices may go on to do so.
    ranksNestedClasses: bool
    # Whether it is the one offered where a scenario has none.
    suggested: bool

# What a transport can do.
class CatalogueTransport(TypedDict):
    # The word, as the document has it.
    value: str
    # Its name on the screen.
    title: str
    # What it means.
    sentence: str
    # What lets packets out.
    paces: Pacing
    # What tells it of congestion.
    learnsFrom: CongestionSignal
    # What sets one class apart from another.
    follows: Aim
    # Whether initial rates may follow what is known of the destination (DIRS).
    initialRates: bool
    # Fields and sections of a class that it reads, beside those that all transports do.
    fields: list[str]
    # Metrics of its classes and connections.
    metrics: list[str]

# A change applied while the run goes on.
class Change(TypedDict):
    # When the change takes effect, before any packet event of the same instant.
    atUs: float
    # What changes: the path of a live field, such as `switch.ecnThresholdPackets` or `classes[0].transport`.
    path: str
    # The new value.
    value: Any

# One of the words that a field may hold.
class Choice(TypedDict):
    # The word, as the document has it.
    value: str
    # Its name on the screen.
    title: str
    # What it means.
    sentence: str

# A class of traffic.
class ClassLayout(TypedDict):
    # Its name.
    name: str
    # Its transport.
    transport: TransportKind

# A nested class.
class ClassPlan(TypedDict):
    # σ, in requests.
    burst: float
    # ρ.
    rateIops: float
    # δ.
    responseUs: float
    # Its term of the lemma: the capacity that it asks for at its response time.
    termIops: float
    # Share of the requests that belongs to it and to none further in; none without requests.
    fraction: float | None
    # Most of these in any tenth of a second.
    most: int

# A class over the measured part of the run.
class ClassSummary(TypedDict):
    # Its name.
    name: str
    # Its transport at the end.
    transport: TransportKind
    # Payload handed over per second; none where a connection always has more.
    offeredGbps: float | None
    # Payload delivered per second.
    carriedGbps: float
    # Payload per second it should have carried: the mean over the measured part of the run of its weighted max-min share, no more than it asked for; none where it aims at a latency or has nothing to send.
    targetGbps: float | None
    # Part of what all classes carried that it carried; none if they carried nothing.
    carriedShare: float | None
    # Part of the targets of all classes that its own is: what it should have of what is carried, whatever that is. None where it has none, and where any class aims at a latency: what that one takes is no share.
    targetShare: float | None
    # Its quality factor.
    qualityFactor: QualitySummary
    # Its requests.
    requests: RequestCounts
    # Whether it is offered more than it carries for good: waits then grow without bound, and its latencies tell how long the run was.
    backlogGrows: bool
    # From the hand-over of a request to its last byte delivered.
    latencyUs: LatencySummary
    # The part of it on the way of the data: of a write from the first byte sent on, of a read from when the target has the command.
    networkLatencyUs: LatencySummary
    # The part of the latency of reads that the command is on its way to the target; none without reads.
    commandLatencyUs: NotRequired[LatencySummary]
    # Latency of reads; none without any.
    reads: LatencySummary | None
    # Latency of writes; none without any.
    writes: LatencySummary | None
    # The part of it at devices: from the submission queue to the completion; none where requests go to none.
    deviceLatencyUs: LatencySummary | None
    # Where the time of its requests went, stage by stage; none without requests.
    stagesUs: StageSummaries | None
    # Deadlines; none for a class without one.
    deadline: DeadlineSummary | None
    # How its contract was kept; none for a class without one, or where no tenants are scheduled.
    contract: NotRequired[ContractSummary]
    # Mean over its requests of size over latency: what a single transfer sees; none without requests.
    requestGbps: float | None
    # Congestion notifications; none where acknowledgements carry the marks (TCP).
    notifications: Notifications | None
    # Retransmissions as a share of the data packets it sent; none if it sent nothing.
    retransmittedFraction: float | None

# A class in all scenarios.
class ComparedClass(TypedDict):
    # Its name.
    name: str
    # Its quantities.
    measures: ComparedMeasures

# A quantity of a class in all scenarios, over the seeds in which the first and the last scenario have a value.
class ComparedMeasure(TypedDict):
    # By scenario, the mean over seeds; `None` if a seed has no value.
    values: list[float | None]
    # The difference; `None` without seeds, or if a relative one is against zero.
    difference: Difference | None

# The quantities of a class that are compared.
class ComparedMeasures(TypedDict):
    # Payload delivered, in Gb/s; its difference is relative.
    throughput: ComparedMeasure
    # Share of the payload of all classes; its difference is absolute.
    share: ComparedMeasure
    # 99th percentile of latency, in microseconds; its difference is relative.
    p99: ComparedMeasure
    # Share of requests that missed their deadlines; its difference is absolute.
    missed: ComparedMeasure

# Scenarios compared under several seeds. Differences are those of the last scenario against the first.
class Comparison(TypedDict):
    # Seeds requested.
    seeds: int
    # Seeds under which the results of all scenarios are known.
    known: int
    # The classes of the last scenario; empty while no seed is complete.
    classes: list[ComparedClass]

# What tells a transport of congestion.
CongestionSignal: TypeAlias = Literal["marks", "rtt"]

# What a contract needs.
class ContractPlan(TypedDict):
    # κ, the capacity that it needs.
    needIops: float
    # What binds it, in a few words.
    binding: str
    # Its nested classes, the innermost first.
    classes: list[ClassPlan]
    # Share of the requests that is in none of them.
    overflowFraction: float | None
    # Capacity with which every request is answered within the first response time: a promise of a single level.
    singleLevelIops: float

# How the contract of a class was kept by the storage servers, over the measured part of the run.
class ContractSummary(TypedDict):
    # Requests answered.
    answered: int
    # By nested class.
    classes: list[NestedClassSummary]
    # Share of them that was in no nested class, so that nothing was promised for it; none without requests.
    overflowFraction: float | None

# A quality factor came near 1 to stay, or went away from it.
class ConvergenceEvent(TypedDict):
    # Which.
    kind: ConvergenceTurn
    # The beginning of the round trips over which the mean of Q shows it.
    atUs: float
    # Base round trips of the class from the event before, or from when the class first or again had something to send.
    rtts: float

# What became of the distance of a quality factor from 1.
ConvergenceTurn: TypeAlias = Literal["converged", "left", "returned"]

# How deadlines were met.
class DeadlineSummary(TypedDict):
    # The target.
    targetUs: float
    # Share of requests that took longer, or have been under way for longer; none without requests.
    missedFraction: float | None

# Links that wait for each other in a circle.
class DeadlockSummary(TypedDict):
    # When it was noticed.
    atUs: float
    # The links, by the names of their ends.
    links: list[list[str]]

# The classes of the requests of a tenant.
class Decomposed(TypedDict):
    # By nested class, what overflows last, then by part of the time: requests.
    counts: list[int]
    # By nested class: requests of the whole run.
    totals: list[int]

# The part of the result of a run that a campaign reads.
Detail: TypeAlias = Literal["kept", "flows", "tails"]

# A storage device.
class DeviceLayout(TypedDict):
    # The host that it is in, by node.
    node: int
    # Its name there.
    name: str
    # What it is.
    kind: DeviceType
    # Its channels.
    channels: int
    # What works on one command at a time: dies, chips, banks of a memory.
    units: int
    # Its rows have a column for each unit.
    sampledByUnit: bool

# A storage device over the measured part of the run.
class DeviceSummary(TypedDict):
    # Name of its host.
    host: str
    # Its name there.
    name: str
    # Commands that it has fetched.
    commands: int
    # Flash pages programmed for each that the host wrote; none where nothing was written to flash.
    writeAmplification: float | None
    # Planes that a command to read flash took, the mean; none without such commands.
    planesPerRead: float | None
    # Planes that a command to program flash took, the mean; none without such commands.
    planesPerProgram: float | None
    # When a write first waited for room in the write cache; none while none has.
    cacheFullUs: float | None
    # When garbage collection first began; none while it has not.
    collectsUs: float | None
    # Pages that garbage collection has moved.
    pagesMoved: int
    # Blocks erased.
    erases: int
    # Programs and erases that were suspended for a read.
    suspensions: int
    # Share of the look-ups of addresses that the cached part of the map could answer; none where all of it is cached.
    mappingHitFraction: float | None

# What a storage device is.
DeviceType: TypeAlias = Literal["ssd", "persistent-memory", "constant-capacity"]

# One diagnostic of a scenario.
class Diagnostic(TypedDict):
    # Where: the path of the field, such as `classes[1].ratio`. Empty: the document as a whole.
    path: str
    # What is wrong, with the value found. Continues "the field ...", without a full stop.
    reason: str
    # What to do about it, as a sentence.
    hint: str
    # Whether the scenario can be run all the same.
    severity: Severity

# A mean difference over seeds.
class Difference(TypedDict):
    # The mean: 0.1 is 10 %, or 10 points of a share.
    mean: float
    # Half the width of its 95 % confidence interval; `None` for one seed.
    halfWidth: float | None
    # Seeds.
    count: int

# What a drive was fitted to, and how well.
class DriveEvidence(TypedDict):
    # Version of the engine.
    engine: str
    # The seed of all runs.
    seed: int
    # Runs made.
    runs: int
    # The files that the jobs were read from.
    files: list[FitSource]
    # Parameters that the jobs determine.
    fitted: list[FittedParameter]
    # Mean errors of the jobs that were fitted.
    errors: FitErrors
    # Of those that were held out; null if none was.
    heldOutErrors: FitErrors | None
    # The jobs.
    jobs: list[EvidenceJob]

# What a factor does to a measure, over its whole range, in the unit of the measure.
class Effect(TypedDict):
    # The factor, by its place.
    factor: int
    # Mean of the absolute elementary effects (µ*); null where all steps of it were refused.
    mean: float | None
    # The ends of its 95 % interval.
    low: float | None
    # The upper end.
    high: float | None
    # What another seed alone would make of it: a mean that does not exceed this is not told from chance.
    chance: float | None
    # Mean of the elementary effects with their signs (µ); null for words, which have no direction.
    signed: float | None
    # The ends of its 95 % interval.
    signedLow: float | None
    # The upper end.
    signedHigh: float | None
    # Their standard deviation (σ): large beside µ* where the effect depends on where one stands, by itself or with other fields.
    deviation: float | None
    # The ends of its 95 % interval.
    deviationLow: float | None
    # The upper end.
    deviationHigh: float | None
    # Steps that count.
    steps: int
    # What it does.
    role: Role

# What the engine did.
class EngineFigures(TypedDict):
    # Packets reaching the end of a link, and timers.
    events: int
    # Packets reaching the end of a link.
    packetHops: int
    # Requests done.
    requests: int
    # Time it took; filled in by those who have a clock.
    wallSeconds: float | None
    # Its version; filled in by those who hand the summary out by itself. Results that versions share do not differ by it.
    version: NotRequired[str]

# A job as evidence.
class EvidenceJob(TypedDict):
    # Name of its file.
    file: str
    # Its name.
    name: str
    # Requests outstanding of each clone.
    iodepth: int
    # Clones that ran at once.
    numjobs: int
    # Whether it was held out.
    heldOut: bool
    # Its reads, measured and simulated.
    reads: NotRequired[FitComparison]
    # Its writes, measured and simulated.
    writes: NotRequired[FitComparison]
    # Digest of its run.
    digest: str

# What a tool takes of a scenario.
class Export(TypedDict):
    # For which tool.
    target: ExportTarget
    # How much it is for, in a few words: `20 switches, one file for all`.
    about: str
    # Its files.
    files: list[ExportFile]
    # What became of every field that has an effect in the scenario and that the target knows of.
    fields: list[MappedField]
    # What must be known before the files are used, as sentences.
    remarks: list[str]
    # What is to be typed.
    commands: list[ExportCommand]

# A target as pages, commands and docs show it.
class ExportAbout(TypedDict):
    # Its name on the command line.
    id: str
    # Its title: `SONiC switch`.
    title: str
    # What it is to people.
    kind: ExportKind
    # What is in it: `marking, queues, weights`.
    holds: str
    # The version of the tool that the files are written for, with its source.
    version: str

# What is to be typed where.
class ExportCommand(TypedDict):
    # On which machine: `On the switch`.
    on: str
    # The command, a line or several.
    text: str

# A file for the tool.
class ExportFile(TypedDict):
    # Its name.
    name: str
    # What it is for, as the end of `read.fio: ...`.
    about: str
    # Its text.
    text: str
    # Lines that come from the scenario.
    marks: list[LineMark]

# What a target is to people.
ExportKind: TypeAlias = Literal["settings", "simulator"]

# Tools that take settings of a scenario.
ExportTarget: TypeAlias = Literal["fio", "nvme", "sonic", "roce", "linux", "hpcc", "mqsim"]

# Something that varies: one field, several that move together, or whole alternatives.
class Factor(TypedDict):
    # What it is called; the title of its field where it is left out.
    title: NotRequired[str]
    # The field, by path: `[]` stands for every element of its list, as in `classes[].transport`. Of `path`, `moves` and `alternatives` exactly one is given.
    path: NotRequired[str]
    # Fields that move together.
    moves: NotRequired[list[Move]]
    # Whole alternatives, each with changes of its own.
    alternatives: NotRequired[list[Alternative]]
    # Its values, one by one. Of `values` and `range` exactly one is given with `path` or `moves`.
    values: NotRequired[list[Any]]
    # Its values, from one to another.
    range: NotRequired[Range]

# A new value for a field.
class FieldChange(TypedDict):
    # Path of the field, such as `switch.ecnThresholdPackets`.
    path: str
    # Its new value; null empties a field that may be empty.
    value: Any

# What is to be said of a field.
FieldExplanation = TypedDict(
    "FieldExplanation",
    {
        # Its path.
        "path": str,
        # The value in force; null where there is none.
        "value": Any,
        # Where the value comes from.
        "source": ValueSource,
        # Where a derived value comes from, in words that end the sentence "It is ...".
        "from": NotRequired[str],
        # Connections, ports or servers have values of their own while it is empty, of which this is one: written into the document it would hold for all of them.
        "varies": NotRequired[bool],
        # Why it has no effect on packets, requests and devices here, if it has none.
        "noEffect": NotRequired[NoEffect],
        # What theory recommends, where it recommends anything.
        "recommended": NotRequired[Recommended],
        # Why the value is legal but surely not meant, as the end of a sentence that begins with the name of the field, and what to do.
        "warning": NotRequired[str],
    },
)

# What a field holds.
FieldForm: TypeAlias = Literal["number", "integer", "boolean", "string", "object", "array", "any"]

# A field that can vary.
class FieldSuggestion(TypedDict):
    # The field.
    path: str
    # What it is called, with its class.
    title: str
    # Its symbol in the papers.
    symbol: str | None
    # Its unit.
    unit: str | None
    # Its values are words, not numbers.
    isWords: bool
    # The words, in the order of the screen.
    options: list[WordSuggestion]
    # A sensible range about the present value; none of words.
    range: Range | None
    # The value that the scenario has; null where that is none of its own.
    present: StudyValue | None
    # What theory recommends: from and to.
    recommended: list[float] | None
    # It is the one that a first study varies: what theory recommends something of, else the first with numbers that changes while a run goes on.
    suggested: bool

# The answer of a figure.
class FigureAnswer(TypedDict):
    # Id of the figure.
    id: str
    # Its rows, those of a case together.
    rows: list[FigureRow]
    # Events of all runs.
    events: int
    # Digest of all results, [`Figure::digest`].
    digest: str

# What a figure gave.
class FigureResult(TypedDict):
    # The rows of its table.
    rows: list[FigureRow]
    # What its plot shows.
    picture: Picture | None
    # Digest of the plot that the picture was made from.
    plot: str
    # Events of all its runs.
    events: int
    # Digest of the results of all seeds, [`Figure::digest`].
    digest: str

# The whole file.
class FigureResults(TypedDict):
    # By id.
    figures: dict[str, FigureResult]
    # By paper, in the order of the figures.
    tally: list[Tally]
    # Why rows are not reproduced: sections of `docs/validation.md` by their headings, as Markdown.
    causes: dict[str, str]

# A row for a screen: texts as the table has them, and the numbers behind them.
class FigureRow(TypedDict):
    # Which part of the figure it belongs to.
    case: str
    # What it is, and its unit.
    quantity: str
    # The reference as it was published.
    reference: str
    # What we measure, with half the width of its interval.
    ours: str
    # The band.
    band: str
    # Distance from a published number or range.
    distance: str
    # The verdict.
    verdict: str
    # What kind of verdict it is.
    outcome: RowOutcome
    # The heading of the section of `docs/validation.md` that explains why it is not reproduced.
    cause: str | None
    # The number that was published.
    published: float | None
    # Mean of ours; none where it is no number.
    mean: float | None
    # Lower end of the interval of ours.
    low: float | None
    # Its upper end; none where ours is a lower bound.
    high: float | None
    # Lower end of the band; none where it has none.
    bandLow: float | None
    # Upper end of the band; none where it has none.
    bandHigh: float | None

# What a job has found out.
Findings: TypeAlias = Decomposed | list[Burstiness] | SuggestedContract | float | list[TenantOutcome] | None

# A log with the names of what it is of.
class FioLog(TypedDict):
    # What it is of, in words.
    title: str
    # Unit of its numbers.
    unit: str
    # Name of the file.
    file: str
    # What it is of.
    quantity: LogQuantity
    # Its reads.
    reads: list[LogWindow]
    # Its writes.
    writes: list[LogWindow]
    # What is to be known of it: warnings.
    remarks: list[Diagnostic]

# What a file of results holds.
class FioResults(TypedDict):
    # Name of the file.
    file: str
    # Version of fio, as it says: `fio-3.33`.
    version: str
    # Jobs that can be used, in the order of the file.
    jobs: list[MeasuredJob]
    # Jobs that cannot, and why: errors; what is to be known of jobs that can: warnings. The path names file, job and field.
    remarks: list[Diagnostic]

# [`Choices`] as far as somebody makes them, as JSON has them: `{ holdOut, meansAlone, seed, maxRuns, remote }`.
class FitChoices(TypedDict):
    # One of so many jobs is held out; 0: none.
    holdOut: int
    # Means are matched, and no percentiles.
    meansAlone: bool
    # The seed of all runs.
    seed: int
    # The maximum number of runs.
    maxRuns: int
    # Files of jobs that reached the drive from another host, over NVMe/TCP.
    remote: NotRequired[list[str]]

# Numbers, measured and simulated.
class FitComparison(TypedDict):
    # As measured; none where fio does not say.
    measured: FitNumbers
    # As simulated.
    simulated: FitNumbers
    # Simulated over measured, less one, in per cent.
    errors: FitNumbers

# A drive that was fitted.
class FitDrive(TypedDict):
    # Version of the format.
    drive: int
    # What it is called.
    name: str
    # The section `storage.ssd` of a scenario with this drive, with its evidence in short.
    ssd: Any
    # Fields beside it that the drive was fitted with, by path: `access.software.hostLatencyUs` and `targetLatencyUs`.
    beside: NotRequired[dict[str, Any]]
    # What it was fitted to, and how well: as [`Drive::of`] writes it.
    evidence: DriveEvidence | None

# Means of absolute errors over some jobs, in per cent.
class FitErrors(TypedDict):
    # Jobs.
    jobs: int
    # Of the mean, the percentiles and the IOPS.
    of: FitNumbers

# A job, measured and simulated.
class FitJob(TypedDict):
    # Its number among the jobs.
    job: int
    # Whether it was held out.
    heldOut: bool
    # Its reads, if there were any.
    reads: FitOperation | None
    # Its writes, if there were any.
    writes: FitOperation | None
    # Digest of its run, 16 hexadecimal digits.
    digest: str

# Numbers of a job: latencies in microseconds, requests a second; or their errors.
class FitNumbers(TypedDict):
    # Mean latency.
    mean: float | None
    # Median.
    p50: float | None
    # 99th percentile.
    p99: float | None
    # 99.9th percentile.
    p999: float | None
    # Requests a second.
    iops: float | None

# Reads or writes, measured and simulated.
class FitOperation(TypedDict):
    # Mean, median, 99th percentile and IOPS.
    compared: FitComparison
    # Pairs of a latency in microseconds and the share of requests that took longer, as measured.
    measuredTail: list[list[float]]
    # The same, as simulated.
    simulatedTail: list[list[float]]
    # Requests measured.
    measuredRequests: int
    # Requests simulated.
    simulatedRequests: int

# What a fit came to.
class FitOutcome(TypedDict):
    # Whether the jobs match a drive of the model.
    verdict: FitVerdict
    # Parameters that the jobs determine.
    fitted: list[FittedParameter]
    # Parameters that they do not.
    kept: list[KeptParameter]
    # The section `storage.ssd` of the drive.
    ssd: Any
    # Fields beside it that the jobs were simulated with, by path: `access.software.hostLatencyUs`, and `targetLatencyUs` if jobs came over a network.
    beside: dict[str, Any]
    # By job: measured and simulated.
    jobs: list[FitJob]
    # Mean errors of the jobs that were fitted.
    errors: FitErrors
    # Of those that were held out; none where none was.
    heldOutErrors: FitErrors | None
    # Runs made.
    runs: int
    # The seed of all of them.
    seed: int

# A file that jobs were read from.
class FitSource(TypedDict):
    # Its name.
    file: str
    # The hash of what it contains.
    hash: str

# Whether some drive of the model answers as the jobs say, and if not, why.
class FitVerdict(TypedDict):
    # Whether the jobs match.
    matches: bool
    # The verdict as a sentence, with the error.
    sentence: str
    # Signs in the files of what was measured beside a drive, as sentences.
    reasons: list[str]

# A parameter that the jobs determine.
class FittedParameter(TypedDict):
    # What it is called.
    title: str
    # Its symbol.
    symbol: NotRequired[str]
    # Its unit; empty: a share.
    unit: str
    # Its field, the first where it is several.
    path: str
    # Its value.
    value: float
    # Ends of the interval that the measurements leave it: meant to hold the true value 95 times in 100, and docs/measurements.md says how often they did for drives at random.
    low: float
    # The upper one.
    high: float
    # That of the preset.
    base: float
    # The log that tells it, where that is not what the jobs come to.
    log: NotRequired[str]

# A connection over the measured part of the run.
FlowSummary = TypedDict(
    "FlowSummary",
    {
        # Name of its class.
        "class": str,
        # Sending host, by host number.
        "source": int,
        # Receiving host, by host number.
        "destination": int,
        # Payload delivered per second.
        "carriedGbps": float,
        # From its start to the delivery of its last request; none if it has no last one, or has not come to it.
        "completionUs": float | None,
        # Mean of α over the samples.
        "alpha": float | None,
        # Mean of the congestion window over the samples, in packets; none where packets are paced.
        "windowPackets": float | None,
        # Mean of the sending rate over the samples.
        "rateGbps": float | None,
        # Packets sent again since the start of the run.
        "retransmissions": int,
        # Timeouts since the start of the run.
        "timeouts": int,
    },
)

# What a search found.
class Found(TypedDict):
    # Whether there are settings that meet all targets, confirmed.
    isMet: bool
    # No answer was found, and there may be one: the runs ended before all settings were looked at, or before one was confirmed.
    isStopped: bool
    # The answer in a few words.
    headline: str
    # The answer in a sentence or two: what to set and how sure that is, or which target cannot be met and what comes nearest.
    says: str
    # The point of the table that answers, or that comes nearest; none where every point is refused.
    point: int | None
    # How each target fares there.
    targets: list[TargetView]
    # What is preferred, there: of each preference the value, and its 95 % interval where it is a measure.
    preferred: list[StudyCell]
    # Unseen seeds under which all targets hold together.
    held: int
    # Unseen seeds that were run.
    of: int
    # Share of all seeds under which they hold at least, with 95 % confidence (Clopper and Pearson).
    atLeast: float
    # How far each factor may move, alone, before a target breaks.
    margins: list[Margin]
    # The trade-off where two things are preferred: points of the table, none of which is better in both, from the best in the first on.
    tradeOff: list[int]
    # Those of `trade_off` that are confirmed on unseen seeds; the others were seen in the search only.
    confirmed: list[int]
    # The point that is the model's first guess: the scenario as it is, with what theory recommends; null where theory says nothing.
    firstGuess: int | None
    # How many settings there are: all combinations of the values that vary.
    settings: float
    # How many of them were looked at.
    lookedAt: int
    # Without an answer, values of settings that were not looked at: of all of them if they are few, else of some.
    notLookedAt: list[list[StudyValue]]

# A network and its traffic.
class Graph(TypedDict):
    # Hosts and switches.
    nodes: list[GraphNode]
    # Links; a cable is two of them.
    links: list[GraphLink]
    # Connections that carry data.
    flows: list[GraphFlow]
    # Number of the link that is watched.
    bottleneck: int

# Traffic of one class from one host to another.
GraphFlow = TypedDict(
    "GraphFlow",
    {
        # Number of its class.
        "class": int,
        # The sending host, by node.
        "source": int,
        # The receiving host, by node.
        "destination": int,
        # The links that it takes, in order.
        "path": list[int],
    },
)

# One direction of a cable.
GraphLink = TypedDict(
    "GraphLink",
    {
        # The sending node.
        "from": int,
        # The receiving node.
        "to": int,
        # Its rate.
        "gbps": float,
    },
)

# A host or a switch.
class GraphNode(TypedDict):
    # Its name.
    name: str
    # What it is.
    kind: GraphNodeKind
    # 0 host, 1 edge or leaf, 2 aggregation or spine, 3 core.
    tier: int
    # The pod of a fat-tree, the leaf of a leaf-spine, the side of a dumbbell; -1 at the top and in a custom graph.
    pod: int
    # Its number among the nodes.
    index: int
    # It is a storage server.
    storage: bool
    # Its position on a drawing, to the right; absent if the document does not place it.
    x: NotRequired[float]
    # Downwards.
    y: NotRequired[float]

# What a node is.
GraphNodeKind: TypeAlias = Literal["host", "switch"]

# This option is so.
class HappenedChoice(TypedDict):
    kind: Literal["choice"]
    # Its position.
    option: int
    # How it reads.
    text: str

# None of the options is so: what holds under the seeds of the lesson's test need not under a learner's own.
class HappenedNone(TypedDict):
    kind: Literal["none"]
    # The same in words.
    text: str

# The number.
class HappenedNumber(TypedDict):
    kind: Literal["number"]
    # The number.
    value: float
    # The same as text, with its unit.
    text: str

# The curve.
class HappenedCurve(TypedDict):
    kind: Literal["curve"]
    # Its value at each point.
    values: list[float]

# What the run shows.
Happened: TypeAlias = HappenedChoice | HappenedNone | HappenedNumber | HappenedCurve

# A packet in a port and on the wire behind it.
class Hop(TypedDict):
    # The link.
    link: int
    # When it came to the port. Of the first port: up to the time of a packet earlier.
    joinedUs: float
    # Packets that it found there.
    found: int
    # When its transmission began.
    beginsUs: float | None
    # When its last bit left.
    departsUs: float | None
    # When it was at the far end.
    arrivesUs: float | None

# How a field goes over.
How: TypeAlias = Literal["exactly", "roughly", "not-at-all"]

# What became of a line of a job file.
class JobOption(TypedDict):
    # Name of the file.
    file: str
    # Number of the line, from 1.
    line: int
    # The section that it stands in.
    section: str
    # The option, by the name that fio has for it.
    option: str
    # Its value; none where it stands alone.
    value: NotRequired[str]
    # The field that it became, in the first workload that it is for. Empty: none.
    path: str
    # What was written there. Empty: nothing.
    to: str
    # How it went over.
    how: How
    # Why, or by which rule, as a sentence.
    why: str

# A scenario with the workloads of job files.
class JobsOnto(TypedDict):
    # The scenario.
    scenario: Any
    # What became of every option, in the order of the files.
    became: list[JobOption]
    # What must be known before it is run, as sentences.
    remarks: list[str]

# A request from its application and back. Times are in microseconds since the start of the run; what did not happen, or had not when the run ended, is null.
Journey = TypedDict(
    "Journey",
    {
        # Number of its class.
        "class": int,
        # Whether it reads.
        "reads": bool,
        # Its size.
        "bytes": int,
        # The host of its application, and the host that holds the data.
        "from": int,
        # See `from`.
        "to": int,
        # Requests of its class that were looked at, and how many of them it was slower than.
        "of": int,
        # See `of`.
        "slowerThan": int,
        # When it was where.
        "moments": Moments,
        # Time in every stage, by the numbers of the stages; null unless it is done.
        "stagesUs": list[float] | None,
        # The packets that carried it, in the order in which they were sent.
        "packets": list[PacketTrail],
        # Packets that carried it beside these.
        "packetsLeftOut": int,
        # What flash did for it, page by page. Pages that come from DRAM, or go there, are not among them.
        "pages": list[PageTrail],
    },
)

# An answer held against the run.
class Judgement(TypedDict):
    # Whether it is right.
    right: bool
    # How far off it is, in words; none of a choice.
    distance: str | None
    # What the run shows.
    happened: Happened
    # Why one might think so, where the answer is a wrong one that the lesson knows.
    feedback: str | None

# A parameter that the jobs do not determine.
class KeptParameter(TypedDict):
    # What it is called.
    title: str
    # Its symbol.
    symbol: NotRequired[str]
    # Its unit.
    unit: str
    # Its field.
    path: str
    # Its value.
    value: float
    # Where the value is from: `preset`, `search`, or the ratio of the preset to a parameter that was fitted.
    source: str
    # Why the jobs do not determine it, as a sentence.
    why: str

# What a tenant does step by step, in requests.
class LadderSteps(TypedDict):
    # Length of a step.
    stepUs: float
    # Start of the first that is told of.
    fromUs: float
    # What it has in every step.
    share: float
    # What newly arrives.
    asked: list[float]
    # What the ladder allows beyond the share.
    allowance: list[float]
    # What it sends.
    sent: list[float]
    # What waits at the end of the step.
    backlog: list[float]
    # What it sends from a token bucket that its share fills.
    sentByBucket: list[float]
    # What waits then.
    backlogByBucket: list[float]

# A ladder, and the groups of the tenants. Amounts are in requests.
class LadderTerms(TypedDict):
    # a.
    amount: float
    # Last step of the first part.
    first: int
    # Last step of the second part.
    second: int
    # ψ.
    end: int
    # Length of a step.
    stepUs: float
    # By tenant: the number of its group, below the number of tenants.
    groups: list[int]

# A latency distribution, in microseconds.
class LatencySummary(TypedDict):
    # Requests counted.
    count: int
    # Mean.
    mean: float | None
    # Median.
    p50: float | None
    # 90th percentile.
    p90: float | None
    # 99th percentile.
    p99: float | None
    # 99.9th percentile.
    p999: float | None
    # Largest.
    max: float | None

# What a packet carried of a request.
Leg: TypeAlias = Literal["command", "data", "ready", "answer", "acknowledgement"]

# One of several options, by position.
class LessonAnswerChoice(TypedDict):
    kind: Literal["choice"]
    # Its position.
    option: int

# A number.
class LessonAnswerNumber(TypedDict):
    kind: Literal["number"]
    # The number.
    value: float

# A curve.
class LessonAnswerCurve(TypedDict):
    kind: Literal["curve"]
    # Its value at each point.
    values: list[float]

# "I don't know."
class LessonAnswerUnknown(TypedDict):
    kind: Literal["unknown"]

# What somebody answers.
LessonAnswer: TypeAlias = LessonAnswerChoice | LessonAnswerNumber | LessonAnswerCurve | LessonAnswerUnknown

# Priority of commands.
Level: TypeAlias = Literal["urgent", "high", "medium", "low"]

# A line that comes from the scenario.
LineMark = TypedDict(
    "LineMark",
    {
        # Its number, from 1.
        "line": int,
        # Where its value comes from: `35 packets × 1500 B = 52 500 B`.
        "says": str,
        # The class that it is of, by its number, if it is of one.
        "class": NotRequired[int],
    },
)

# What a log is of.
LogQuantity: TypeAlias = Literal["submission-latency", "completion-latency", "latency", "bandwidth", "iops"]

# What a log says of a stretch of time.
class LogWindow(TypedDict):
    # When it ends, in seconds since the first line.
    atS: float
    # Requests done in it, where the log says so.
    requests: NotRequired[int]
    # The mean in it; its maximum where fio ran with `log_max_value`.
    mean: float
    # Percentile 50, of logs of single requests and histograms.
    p50: NotRequired[float]
    # Percentile 99, likewise; of fewer than a hundred requests there is none.
    p99: NotRequired[float]
    # Maximum, where the log says so.
    max: NotRequired[float]

# What became of a field of one scenario.
MappedField = TypedDict(
    "MappedField",
    {
        # What the field is called: `ECN threshold`.
        "title": str,
        # Its symbol, where it has one: `K`.
        "symbol": NotRequired[str],
        # Its path in the scenario; that of the first where it is several.
        "path": str,
        # What the scenario says, with its unit: `35 packets`.
        "from": str,
        # What was written: `52 500 B`. Empty: nothing.
        "to": str,
        # How it went over.
        "how": How,
        # Why, or by which rule, as a sentence. Of this scenario where numbers say more: `A weight is a whole number: 16.7 becomes 17.`
        "why": str,
        # Where it goes, if not here: the target that takes it.
        "see": NotRequired[ExportTarget],
    },
)

# How far a factor may move, alone, from the answer.
Margin = TypedDict(
    "Margin",
    {
        # The factor, by its place.
        "factor": int,
        # The least of its values tried for which all targets still hold, and the greatest; words: null.
        "from": float | None,
        # The greatest.
        "to": float | None,
        # What limits it below, as a sentence: what breaks at the next value, or that the range ends; `None` if what is below was not tried.
        "below": str | None,
        # What limits it above.
        "above": str | None,
    },
)

# Something that can be measured: a measure of a study.
class MeasureSuggestion(TypedDict):
    # What it is called.
    title: str
    # Expression over a summary.
    value: str
    # Unit of the number.
    unit: str | None
    # It is among those that a first study asks for.
    suggested: bool

# How requests reached a drive.
MeasuredAccess: TypeAlias = Literal["local", "nvme-tcp", "nvme-rdma"]

# A job that fio ran. Its clones (`numjobs`) are one job here.
class MeasuredJob(TypedDict):
    # Name of the file.
    file: str
    # Its name.
    name: str
    # What it reads and writes, if fio says so: `/dev/nvme0n1`.
    device: NotRequired[str]
    # How its requests reached the drive.
    access: NotRequired[MeasuredAccess]
    # How addresses follow each other.
    pattern: MeasuredPattern
    # Share of the requests that read, 0 to 1.
    readShare: float
    # Bytes of a read.
    readBytes: int
    # Bytes of a write.
    writeBytes: int
    # Requests outstanding of each clone.
    iodepth: int
    # Clones that ran at once.
    numjobs: int
    # Requests a second that were asked for, if they were limited.
    rate: NotRequired[MeasuredRate]
    # Bytes of the range that requests went to; none where fio does not say.
    rangeBytes: NotRequired[int]
    # How long it measured, in seconds.
    runtimeS: float
    # Its reads, if there were any.
    reads: NotRequired[MeasuredOperations]
    # Its writes, if there were any.
    writes: NotRequired[MeasuredOperations]

# A measured distribution of latencies, in microseconds.
class MeasuredLatency(TypedDict):
    # Mean.
    mean: float
    # Standard deviation.
    deviation: float
    # Least.
    min: float
    # Greatest.
    max: float
    # Pairs of a percentile (0 to 100) and a latency, in order; none where clones were reported one by one without bins.
    percentiles: list[list[float]]
    # Pairs of a latency and the requests that took it (JSON+), in order; none where the file has no bins.
    bins: NotRequired[list[list[float | int]]]

# Reads, or writes, of a job: of all its clones together.
class MeasuredOperations(TypedDict):
    # Requests done.
    requests: int
    # Requests a second.
    iops: float
    # Bytes a second.
    bytesPerS: float
    # Latency from submission to completion.
    latencyUs: MeasuredLatency

# How addresses follow each other.
MeasuredPattern: TypeAlias = Literal["random", "sequential"]

# Requests a second that each clone was limited to.
class MeasuredRate(TypedDict):
    # Reads a second of each clone.
    reads: float
    # Writes a second of each clone.
    writes: float
    # Whether gaps are exponential (`rate_process=poisson`); else they are alike.
    poisson: bool

# A quantity and what it is read of, as the catalogue has it.
class MetricEntry(TypedDict):
    # Name of its columns.
    id: str
    # Name on the screen.
    title: str
    # Symbol in the papers; empty where there is none.
    symbol: NotRequired[str]
    # Unit of the numbers; empty: a plain number or a share.
    unit: NotRequired[str]
    # What is measured, as a sentence.
    sentence: str
    # What the samples of a longer time come to.
    average: Average
    # How a chart over time shows it; none where such a chart makes no sense.
    chart: NotRequired[QuantityChart]
    # Whose samples there are of it, over time.
    series: list[MetricScope]
    # Whether it is a figure of every class.
    figure: bool

# What a metric is read of.
MetricScope: TypeAlias = Literal["network", "class", "connection", "device"]

# A quantity of which nothing can be measured.
class MissingMetric(TypedDict):
    # Which.
    id: str
    # Why, as the end of a sentence.
    reason: str

# The curves of one class. `NaN`, null in JSON, where the class takes no part, or has a transport without a model.
class ModelCurves(TypedDict):
    # Its name.
    name: str
    # Payload carried by the bottleneck.
    throughputGbps: list[float | None]
    # Quality factor.
    qualityFactor: list[float | None]
    # Number of the slot from which the mean of Q lies in the band, since the last change. None if it never does.
    convergedSlot: int | None
    # Start of that slot, in microseconds.
    convergedAtUs: float | None

# The curves of the model for a chart.
class ModelOverlay(TypedDict):
    # Start of each point's slots, in microseconds.
    timeUs: list[float]
    # By class.
    classes: list[ModelCurves]
    # Packets in the queue of the bottleneck.
    queuePackets: list[float]
    # What the model leaves out of this scenario, a sentence each.
    remarks: list[str]

# Instants in the life of a request.
class Moments(TypedDict):
    # Its application asked for it.
    issuedUs: float
    # Its first byte left the connection.
    sentUs: float | None
    # The target had all that it needs.
    arrivedUs: float | None
    # Its commands were put into submission queues.
    submittedUs: float | None
    # The device fetched the first of them.
    fetchedUs: float | None
    # The first access to flash, memory or DRAM began.
    startedUs: float | None
    # The target saw the last completion.
    servedUs: float | None
    # The first byte of the answer left the connection of the target.
    returnedUs: float | None
    # Its data were where they were wanted.
    doneUs: float | None
    # Its application was told.
    answeredUs: float | None

# A field that moves with others: it is set to `times` × value ^ `power`, rounded where it holds whole numbers.
class Move(TypedDict):
    # The field, by path.
    path: str
    # What the value is multiplied by.
    times: NotRequired[float]
    # The power that the value is raised to: 0 holds the field at `times`.
    power: NotRequired[float]

# A nested class of a contract. Response times are those of the storage server, from the arrival of the request there.
class NestedClassSummary(TypedDict):
    # Response time promised.
    responseUs: float
    # Share of all requests that belongs to it and not to one further in; none without requests.
    fraction: float | None
    # Of its requests, those answered later than promised.
    late: int
    # Share of all requests of the class that was answered within this response time, promised or not; none without requests.
    withinFraction: float | None

# Nodes of a network, counted.
class NetworkSize(TypedDict):
    # Hosts.
    hosts: int
    # Switches.
    switches: int

# The bottleneck port over the measured part of the run.
class NetworkSummary(TypedDict):
    # Which port: from node, to node.
    bottleneck: list[str]
    # Share of the time it transmitted.
    bottleneckUtilisation: float
    # Share of its packets that it marked.
    markedFraction: float | None
    # Packets it dropped.
    drops: int
    # Packets dropped by all ports since the start of the run.
    dropsEverywhere: int
    # Retransmissions as a share of the data packets all hosts sent; none if they sent nothing.
    retransmittedFraction: float | None
    # Pauses sent by all switches; none without priority flow control.
    pauseFrames: int | None
    # Who was paused; none without priority flow control.
    pauses: PauseSummary | None
    # Links that hold each other up for ever; none as long as none do.
    deadlock: DeadlockSummary | None
    # Longest queue, the packet in transmission included.
    maxQueuePackets: int
    # Mean queue over time, the packet in transmission included.
    meanQueuePackets: float

# Why a field has no effect on packets, requests and devices.
class NoEffect(TypedDict):
    # The reason, as the end of the sentence "No effect: ...".
    reason: str
    # The field moves what the run is measured by: targets, quality factors or the digest.
    movesTarget: NotRequired[bool]
    # The change that would give it one, where one change does.
    remedy: NotRequired[Remedy]

# A remark on the run, shown where it belongs: at an instant, at a node of the network, or at both.
class Note(TypedDict):
    # What is to be seen there.
    text: str
    # The instant that it is about. Empty: the whole run.
    atUs: NotRequired[float]
    # The host or switch that it is about, by name. One that the network does not have is listed, and nothing more. Empty: no node.
    node: NotRequired[str]

# Congestion notifications of a class.
class Notifications(TypedDict):
    # Received.
    received: int
    # Of them, those that came when the flow had nothing left to send.
    late: int
    # Their share: the "ECN ineffective ratio" of paper 3.
    lateFraction: float | None

# Why the rates of the network are out of reach.
class OutOfReach(TypedDict):
    # In words that end a sentence.
    reason: str
    # The device that is the bottleneck, in the order of the summary; none where nothing goes over the network.
    device: int | None
    # Since when it has been in all of the time of "now"; none where it is not at present.
    sinceUs: float | None

# What lets packets out.
Pacing: TypeAlias = Literal["window", "rate"]

# A packet on its way.
class PacketTrail(TypedDict):
    # What it carried of the request.
    leg: Leg
    # Bytes of payload.
    bytes: int
    # What it carried had been sent before.
    again: bool
    # A switch marked it.
    marked: bool
    # It was dropped, or lost with a cable, behind its last hop.
    lost: bool
    # Time for which it was held back at the end of its way, because its class has a longer round trip.
    heldUs: float
    # The links that it took.
    hops: list[Hop]

# Work of flash on a page of a request.
class PageTrail(TypedDict):
    # Number of the device, among all.
    device: int
    # Number of the flash unit, in the device; null while that was not known.
    unit: int | None
    # Whether the page was programmed, and not read.
    writes: bool
    # Since when it waited.
    waitsUs: float
    # When its command began to pass the channel.
    commandUs: float | None
    # When the array began, and ended, to work on it.
    arrayUs: list[float] | None
    # When what was read passed the channel.
    transferUs: list[float] | None

# Pauses since the end of the warm-up.
class PauseSummary(TypedDict):
    # Pauses that have reached switches.
    receivedBySwitches: int
    # Pauses that have reached hosts.
    receivedByHosts: int
    # Time links were held, summed over all of them.
    pausedLinkUs: float

# A plot with its numbers.
class Picture(TypedDict):
    # Its form.
    kind: PictureForm
    # The axis to the right. Groups of bars lie at 0, 1, 2 and so on.
    x: PictureAxis
    # The axis upward.
    y: PictureAxis
    # Names of the groups of bars.
    groups: NotRequired[list[str]]
    # What is drawn.
    series: list[PictureSeries]
    # Levels to compare with.
    references: NotRequired[list[PictureLevel]]

# An axis: what it shows and how.
class PictureAxis(TypedDict):
    # What it shows, in a word or two.
    title: str
    # Unit; none for a plain number.
    unit: NotRequired[str]
    # Whether equal lengths are equal ratios.
    log: NotRequired[bool]
    # Where it begins; from the data otherwise.
    min: NotRequired[float]
    # Where it ends; from the data otherwise.
    max: NotRequired[float]

# The form of a picture.
PictureForm: TypeAlias = Literal["bars", "lines", "time", "tail"]

# A level that a chart marks with a line across.
class PictureLevel(TypedDict):
    # What lies there.
    title: str
    # Where it lies.
    y: float

# One series of a picture.
PictureSeries = TypedDict(
    "PictureSeries",
    {
        # What tells it from the others.
        "title": str,
        # The class that it is of.
        "class": str | None,
        # Whether it is what a model says.
        "model": NotRequired[bool],
        # Points from the left: x and y.
        "points": list[list[float]],
        # Of every point half the width of its 95 % interval; empty where no seed changes any.
        "halfWidths": NotRequired[list[float]],
        # What the source has: x and y, or x and the two ends of a range.
        "published": NotRequired[list[list[float]]],
    },
)

# What is known of a tenant.
class PlannedTenant(TypedDict):
    # Name of its class.
    name: str
    # Requests.
    requests: int
    # Mean rate over the run.
    rateIops: float
    # When the last of them comes.
    lastUs: float

# Which nested classes the requests of a tenant are in, over the run and between two instants, in so many parts.
class PlannerQuestionClasses(TypedDict):
    kind: Literal["classes"]
    # Its number.
    tenant: int
    # The first instant.
    fromUs: float
    # The last.
    toUs: float
    # Parts.
    bins: int

# How bursty a tenant is.
class PlannerQuestionWindows(TypedDict):
    kind: Literal["windows"]
    # Its number.
    tenant: int

# The contract that its workload suggests.
class PlannerQuestionSuggestion(TypedDict):
    kind: Literal["suggestion"]
    # Its number.
    tenant: int

# The capacity with which all of its requests are answered within its first response time.
class PlannerQuestionSingle(TypedDict):
    kind: Literal["single"]
    # Its number.
    tenant: int

# How all tenants fare under a scheduler.
class PlannerQuestionOutcome(TypedDict):
    kind: Literal["outcome"]
    # The scheduler.
    scheduler: TenantScheduler

# What a job is to find out.
PlannerQuestion: TypeAlias = (
    PlannerQuestionClasses
    | PlannerQuestionWindows
    | PlannerQuestionSuggestion
    | PlannerQuestionSingle
    | PlannerQuestionOutcome
)

# What became of a lesson under several seeds.
class Played(TypedDict):
    # The lesson, by id.
    lesson: str
    # Its title.
    title: str
    # The seeds.
    seeds: list[int]
    # Step by step.
    steps: list[PlayedStep]
    # Runs and models that gave nothing, and why.
    failures: list[str]

# What a line of a play is about.
PlayedKind: TypeAlias = Literal["assert", "right", "wrong", "start", "solution", "attempt", "told"]

# Something that a lesson asserts, under every seed.
class PlayedLine(TypedDict):
    # What it is about.
    held: PlayedKind
    # In the words of the lesson.
    says: str
    # What is wanted of it.
    wanted: str
    # What is so, by seed.
    seen: list[PlayedSeed]

# What is so under a seed.
class PlayedSeed(TypedDict):
    # The seed.
    seed: int
    # The number, or why there is none.
    text: str
    # Whether it is as it must be.
    holds: bool

# What became of a step.
class PlayedStep(TypedDict):
    # Its title, as it is written.
    title: str
    # What it asserts.
    lines: list[PlayedLine]

# The progress of a campaign.
class Progress(TypedDict):
    # Runs whose results are known.
    known: int
    # Runs that it needs in total, as far as is known.
    wanted: int
    # Whether `wanted` is a limit that it may not reach.
    isLimit: bool
    # Whether it has its answer.
    done: bool
    # The present step in a few words, such as "Confirming on unseen seeds"; empty for campaigns of one step.
    doing: str

# The quality factor of a class.
class QualitySummary(TypedDict):
    # Mean target over mean throughput, the two given beside it, at most 1000; for a class that aims at a latency the mean over its updates. None where there is no target.
    mean: float | None
    # Least of the updates, and of the mean: updates see measured rates, the mean what was delivered.
    min: float | None
    # Greatest of the updates, and of the mean.
    max: float | None
    # When it first entered the band around 1 to stay, from the start of the run.
    convergedAtUs: float | None
    # Its convergence, each departure and each return: the first 64.
    convergence: list[ConvergenceEvent]

# How a chart over time shows a quantity.
class QuantityChart(TypedDict):
    # Least top of the axis.
    least: float
    # What stands beside the title: the unit, and of what.
    legend: str

# A level of submission queues.
class QueueLevel(TypedDict):
    # Which.
    level: Level
    # What goes there, in words.
    title: str
    # Numbers of the classes whose commands go there; none where storage ranks commands by size.
    classes: list[int]
    # Commands in a round of weighted round robin; none where arbitration weighs nothing.
    weight: int | None

# Values from one to another, both included.
Range = TypedDict(
    "Range",
    {
        # The first value.
        "from": float,
        # The last one.
        "to": float,
        # How many. Of a field of whole numbers those that round to the same are one.
        "count": int,
        # How they lie.
        "scale": Scale,
    },
)

# What moves a measure, most first.
class Ranking(TypedDict):
    # The measure, by its place.
    measure: int
    # In a sentence: "K moves p99 latency of High most; buffer size does nothing here."
    says: str
    # What another seed alone moves it by, of the factor of which that is most: what exceeds this is not chance.
    chance: float
    # All factors, most first.
    effects: list[Effect]

# A scenario on the network of a file.
class ReadNetwork(TypedDict):
    # The scenario, as JSON text.
    scenario: str
    # What the network has, in words.
    summary: str

# What is recommended of a field.
class Recommended(TypedDict):
    # The least and the greatest of the values that serve.
    band: list[int]
    # The value to set; null to leave it empty, so that it follows the network.
    value: Any
    # What it comes from, in words that end a sentence "..., because ...".
    because: str

# How long reads, or writes, took; null without any.
class RecordedFigures(TypedDict):
    # Requests counted.
    requests: int
    # Mean.
    meanUs: float | None
    # Median.
    p50Us: float | None
    # 99th percentile.
    p99Us: float | None
    # Largest.
    maxUs: float | None

# How long requests took when a trace was recorded.
class RecordedLatencies(TypedDict):
    # Of reads.
    reads: RecordedFigures
    # Of writes.
    writes: RecordedFigures
    # Pairs of a latency in microseconds and the share of reads and writes that took longer.
    slower: list[list[float]]

# A change, and what a button for it is called.
class Remedy(TypedDict):
    # What it does.
    label: str
    # The field that changes.
    path: str
    # Its new value.
    value: Any

# Requests of a class.
class RequestCounts(TypedDict):
    # Handed over.
    issued: int
    # Delivered.
    completed: int
    # Delivered per second of the measured part of the run; none until a sample of it is complete.
    perSecond: float | None
    # Turned away, beside those: so many were waiting already that the run could hold no more.
    turnedAway: NotRequired[int]

# What a factor does to a measure.
Role: TypeAlias = Literal["raises", "lowers", "either", "chance", "nothing"]

# What kind of verdict a row has.
RowOutcome: TypeAlias = Literal["reproduced", "inOrder", "arithmetic", "control", "notReproduced", "missed"]

# Names, columns, graph and paths of a run. See `docs/architecture.md`.
class RunLayout(TypedDict):
    # Version of the engine.
    version: str
    # Hash of the scenario.
    hash: str
    # The classes.
    classes: list[ClassLayout]
    # Time between two samples.
    samplePeriodUs: float
    # Round trip without queues.
    baseRttUs: float
    # By class: round trip without queues.
    classRttUs: list[float]
    # A class has converged while Q stays this close to 1.
    convergenceBand: float
    # End of the warm-up, which is not measured.
    warmupUs: float
    # End of the run.
    durationUs: float
    # Time over which figures of the present are averaged.
    nowUs: float
    # Names of the columns of a row of samples: `timeUs`, `queueMaximum`, `goodputGbps.0`.
    sampleColumns: list[str]
    # Names of the columns of a class's row of figures: `carriedGbps`, `p99Us`.
    figureColumns: list[str]
    # Stages of a request, in the order in which it passes them.
    stages: list[str]
    # Names of the columns of a device in its rows; those of its units follow.
    deviceColumns: list[str]
    # The storage devices.
    devices: list[DeviceLayout]
    # Names of the columns of a row of the connections, `rateGbps.0`: the first of the graph's.
    flowColumns: list[str]
    # The network.
    graph: Graph

# A run that a campaign needs.
class RunRequest(TypedDict):
    # Identifies the run in its campaign.
    id: int
    # Identifies the result in every cache: 32 hexadecimal digits.
    key: str
    # The part of the result that the campaign reads.
    detail: Detail

# The whole result. A quantity that does not apply is none.
class RunSummary(TypedDict):
    # Which scenario.
    scenario: ScenarioName
    # Seed of the run.
    seed: int
    # Simulated time, in microseconds.
    simulatedUs: float
    # Digest of all results, 16 hexadecimal digits.
    digest: str
    # What the engine did.
    engine: EngineFigures
    # By class.
    classes: list[ClassSummary]
    # The bottleneck port.
    network: NetworkSummary
    # Why the targets and quality factors of classes say nothing, if a device or no network decides what they get; their shares of what is carried count then.
    ratesOutOfReach: NotRequired[OutOfReach]
    # By device; none where requests go to none.
    devices: NotRequired[list[DeviceSummary]]
    # By connection.
    flows: list[FlowSummary]

# How values lie between two ends.
Scale: TypeAlias = Literal["even", "log"]

# What is to be said of a scenario.
class ScenarioExplanation(TypedDict):
    # Every field, but those inside of lists of data: nodes, links, servers, changes.
    fields: list[FieldExplanation]
    # The quantities of which nothing can be measured.
    metrics: list[MissingMetric]
    # The submission queues of a device.
    queues: SubmissionQueues
    # How large the network is.
    network: NetworkSize
    # Share of the pages of an SSD outside free blocks that hold no data: what write amplification depends on. Null where no SSD begins in the steady state of garbage collection.
    effectiveSpareShare: float | None

# Identity of a scenario.
class ScenarioName(TypedDict):
    # Its name.
    name: str
    # Hash of its canonical form.
    hash: str
    # Its remarks at instants and nodes, in the order of the document.
    notes: NotRequired[list[Note]]

# How tenants fare under a scheduler.
class SchedulerOutcome(TypedDict):
    # The scheduler.
    scheduler: TenantScheduler
    # By class.
    tenants: list[TenantOutcome]

# What a first sensitivity takes.
class SensitivitySuggestion(TypedDict):
    # Seeds of every point: the fewest from which chance is told.
    seeds: int
    # Walks, as many as keep it near a number of runs.
    walks: int
    # What varies in one that names nothing.
    vary: list[Factor]

# How much a diagnostic matters.
Severity: TypeAlias = Literal["error", "warning"]

# The part of the range that a slider covers.
class Slider(TypedDict):
    # Left end.
    low: float
    # Right end.
    high: float
    # `log` or `linear`.
    scale: Literal["log", "linear"]

# A stage, as the catalogue has it.
class StageEntry(TypedDict):
    # Its name in summaries and exports.
    id: str
    # Name on the screen.
    title: str
    # What happens in it, as a sentence.
    sentence: str
    # What makes it long, as a sentence.
    bound: str
    # Whether only requests to devices pass it.
    ofDevice: bool

# Where the time of requests went.
class StageSummaries(TypedDict):
    # Of reads; none without any.
    reads: StageSummary | None
    # Of writes; none without any.
    writes: StageSummary | None

# Where the time of some requests went.
class StageSummary(TypedDict):
    # Over all of them.
    mean: dict[str, float]
    # Over the slowest hundredth of them.
    slowestPercent: dict[str, float]

# A workload that something stands in for.
StandInLoop = TypedDict(
    "StandInLoop",
    {
        # Path of its traffic in the scenario.
        "path": str,
        # Name of its class.
        "class": str,
        # Payload per second that its open loop offers.
        "offeredGbps": float,
        # The open loop.
        "traffic": Any,
    },
)

# Open loops in place of workloads, and the scenario that has them.
class StandIns(TypedDict):
    # The open loops.
    standIns: list[StandInLoop]
    # The scenario with them, as JSON text.
    scenario: str

# What a search thinks of a point by now.
Standing: TypeAlias = Literal["open", "beaten", "misses", "leading"]

# A sweep answers by its table.
class StudyAnswerSweep(TypedDict):
    kind: Literal["sweep"]
    # What there is to be said of it, a sentence each: least and greatest of each measure, what was not reached within the most seeds.
    says: list[str]

# Which fields matter, of every measure.
class StudyAnswerSensitivity(TypedDict):
    kind: Literal["sensitivity"]
    # A ranking for each measure of the table.
    rankings: list[Ranking]

# Which settings meet the targets.
class StudyAnswerSearch(Found):
    kind: Literal["search"]

# The answer of a study that is done.
StudyAnswer: TypeAlias = StudyAnswerSweep | StudyAnswerSensitivity | StudyAnswerSearch

# A measure at a point.
class StudyCell(TypedDict):
    # The mean over the seeds; null where there is none yet, or no value.
    mean: float | None
    # The ends of its 95 % interval; null with fewer than two seeds.
    low: float | None
    # The upper end.
    high: float | None
    # What each seed gave, from the first one on; null where a run failed or there is no value.
    numbers: list[float | None]
    # Why there is no value, under the first seed without one.
    why: str | None

# What a study costs.
class StudyCost(TypedDict):
    # Points that are known of.
    points: int
    # Runs that are made in any case; of a search, what it usually takes.
    runs: int
    # Runs that may be made at most.
    maxRuns: int
    # `runs` is what such a search usually takes.
    isUsual: bool
    # Events of all of `runs` as the engine estimates them beforehand.
    events: float
    # Memory of one run in bytes, at most of all points looked at.
    memoryBytes: float
    # What keeping all results takes, in bytes.
    keptBytes: float

# Something that varies.
class StudyFactor(TypedDict):
    # What it is called.
    title: str
    # Its symbol in the papers.
    symbol: str | None
    # Its unit.
    unit: str | None
    # The fields that it changes.
    paths: list[str]
    # Its values are words or alternatives, not numbers.
    isWords: bool
    # The names of words or alternatives on the screen, by value; empty for numbers.
    names: dict[str, str]
    # How its axis lies.
    scale: Scale
    # The value that the scenario has; null where that is none of its own.
    present: StudyValue | None
    # What theory recommends: from and to.
    recommended: list[float] | None

# Something that is measured.
StudyMeasure = TypedDict(
    "StudyMeasure",
    {
        # What it is called, with its class: `p99 latency, High`.
        "title": str,
        # What it is called in the study: `p99 latency`.
        "group": str,
        # Its class, where it is one of every class.
        "class": str | None,
        # Its unit.
        "unit": str | None,
    },
)

# A point: one value of everything that varies.
class StudyPoint(TypedDict):
    # A value of each factor: a number, a word, or the title of an alternative.
    values: list[StudyValue]
    # The fields that differ from the scenario of the study, by path.
    set: dict[str, Any]
    # Why the engine refuses it; no run is made then.
    refused: str | None
    # Seeds whose results there are.
    seeds: int
    # Seeds that are wanted as far as is known.
    wanted: int
    # It was added where a curve bends.
    isAdded: bool
    # Of every measure.
    cells: list[StudyCell]

# The progress of a study.
class StudyProgress(TypedDict):
    # Runs whose results are known.
    known: int
    # Runs that it needs in total, as far as is known.
    wanted: int
    # Whether `wanted` is a limit that it may not reach.
    isLimit: bool
    # Whether it has its answer.
    done: bool
    # The present step in a few words, such as "Confirming on unseen seeds"; empty for campaigns of one step.
    doing: str
    # Of a search, the present state of each point of the table; empty for other kinds.
    candidates: list[Standing]

# The table of a study, as far as results reach: the same, to the last digit, whatever order they came in.
class StudyTable(TypedDict):
    # What varies.
    factors: list[StudyFactor]
    # What is measured, those of every class written out.
    measures: list[StudyMeasure]
    # The first seed; those of a point follow it.
    firstSeed: int
    # The points, in the order of the study's values (the first factor changing slowest); those of a search in the order in which it came to them.
    points: list[StudyPoint]

# The schema of a value of a factor.
StudyValue: TypeAlias = float | str | bool

# Levels of submission queues, and what arbitration aims at between them.
class SubmissionQueues(TypedDict):
    # Levels that commands have, the most urgent first.
    levels: list[QueueLevel]
    # By class: its part of the service that weights aim at, those of a level sharing its weight. None where they aim at nothing for classes.
    classWeights: list[float] | None

# A contract that a workload suggests.
class SuggestedContract(TypedDict):
    # By class: the share of requests wished for.
    fractions: list[float]
    # The contract.
    contract: ContractPlan

# What can vary and what can be measured.
class Suggestions(TypedDict):
    # Every field that has an effect, in the order of the screen.
    fields: list[FieldSuggestion]
    # What has a value here.
    measures: list[MeasureSuggestion]
    # What a first sensitivity takes, of all that matters.
    sensitivity: SensitivitySuggestion

# What became of the rows of a paper.
Tally = TypedDict(
    "Tally",
    {
        # The paper, or the simulator.
        "paper": str,
        # Published numbers and ranges that are met.
        "reproduced": int,
        # Published words that hold.
        "inOrder": int,
        # What was published and is not met.
        "not": int,
        # Checks of arithmetic.
        "arithmetic": int,
        # Controls of our own.
        "controls": int,
    },
)

# How a target fares.
class TargetView(TypedDict):
    # The measure, by its place.
    measure: int
    # As a sentence has it: "p99 latency, High at most 300 us in 95 % of seeds".
    says: str
    # The mean over the unseen seeds with its interval, with the digits that tell them from the bounds: "23.98 Gb/s (23.97 to 23.99)".
    measured: str | None
    # Over the unseen seeds.
    cell: StudyCell
    # Unseen seeds under which it holds.
    held: int
    # How far the worst of the seeds that count lies on the good side of the bound, in the unit of the measure; negative where it misses.
    margin: float | None
    # It binds: of targets that are met the one nearest to its bound, else one that is missed.
    isBinding: bool

# What the contract of a tenant needs.
class TenantNeeds(TypedDict):
    # κ; none without a contract.
    needIops: float | None
    # What binds it, in a few words.
    binding: str | None
    # By nested class: the capacity that it asks for at its response time.
    termsIops: list[float]
    # Whether it is admitted beside those before it; none without capacity or contract.
    admitted: bool | None
    # The tightest response time of its innermost class, the others in proportion, beside those admitted before it.
    tightestResponseUs: float | None

# How a tenant fares.
class TenantOutcome(TypedDict):
    # By nested class: share of all its requests that is answered within its response time; none without requests.
    within: list[float | None]
    # By nested class: requests of it that are answered later.
    late: list[int]
    # 99th percentile of its response times; none without requests.
    p99Us: float | None
    # The distribution: pairs of a response time in microseconds and the share that took longer.
    tail: list[list[float]]

# The plan of a tenant.
class TenantPlan(TypedDict):
    # Name of its class.
    name: str
    # Its workload.
    workload: WorkloadPlan
    # What its contract needs; none without one.
    contract: ContractPlan | None
    # Whether it is admitted beside those before it; none without capacity or contract.
    admitted: bool | None
    # The tightest response time of its innermost class, the others in proportion, beside those admitted before it.
    tightestResponseUs: float | None
    # The contract that its workload suggests.
    suggestion: SuggestedContract

# In which order a server serves its tenants.
TenantScheduler: TypeAlias = Literal[
    "none", "fcfs", "edf", "wf2q", "wf2q-plus", "drr", "pclock", "nested", "burst-ladder"
]

# How a statement stands.
class ToldStatement(TypedDict):
    # What is stated.
    says: str
    # Where the number is to lie: `at most 300 us`.
    wanted: str
    # The number; none where there is no result yet, or no value.
    value: float | None
    # The same as text, with its unit.
    text: str
    # Whether it holds; none while there is no result of a measured part of the run.
    holds: bool | None

# A step as it is told. Where a result is not there yet its numbers are "…".
class ToldStep(TypedDict):
    # Title.
    title: str
    # What is to be read first.
    text: str
    # The question of a prediction.
    prompt: str | None
    # What may be chosen.
    options: list[str]
    # What to look at while exploring.
    look: list[str]
    # Help for a challenge, one after the other.
    hints: list[str]
    # Why what one might try fails, in the order of the challenge's `wrong`.
    wrong: list[str]
    # What is told at the end.
    explain: str | None
    # The goals of a challenge.
    goals: list[ToldStatement]
    # What the text relies on.
    asserts: list[ToldStatement]
    # What its plot shows; none while a result that it reads is not there.
    picture: Picture | None

# Requests and bytes of a trace, or of one of its volumes.
class TraceCounts(TypedDict):
    # Reads, writes and trims.
    requests: int
    # Reads.
    reads: int
    # Writes.
    writes: int
    # Trims.
    trims: int
    # Bytes read.
    readBytes: int
    # Bytes written.
    writtenBytes: int
    # Mean size; null without reads and writes.
    meanBytes: float | None
    # Share of reads; null without reads and writes.
    readFraction: float | None
    # End of the range of addresses.
    endAddress: int

# A line that could not be read.
class TraceLine(TypedDict):
    # Its number, from 1.
    number: int
    # What is wrong with it, as the end of the sentence "Line 17 ...".
    reason: str
    # Its beginning.
    text: str

# What a trace holds.
class TraceSummary(TypedDict):
    # Its format, by name.
    format: str
    # Lines read.
    lines: int
    # Time from the first request to the last.
    spanUs: float
    # Its requests.
    counts: TraceCounts
    # How long those that were selected took; null if the trace does not say.
    recorded: RecordedLatencies | None
    # Requests that were selected and kept.
    kept: int
    # Whether every request that was selected has been kept.
    complete: bool
    # Requests that were left out: without data, without an answer, or of a kind that moves none.
    skipped: int
    # How the requests were read, where the format leaves a choice, as sentences.
    remarks: list[str]
    # Requests that came behind a later one.
    reordered: int
    # Of these, those too late to be put in order: they are taken to have come when the one before them did.
    late: int
    # Lines that could not be read.
    bad: int
    # The first of them.
    badLines: list[TraceLine]
    # Number of volumes.
    volumeCount: int
    # The volumes, the first thousand.
    volumes: list[TraceVolume]

# A volume of a trace.
class TraceVolume(TypedDict):
    # Reads, writes and trims.
    requests: int
    # Reads.
    reads: int
    # Writes.
    writes: int
    # Trims.
    trims: int
    # Bytes read.
    readBytes: int
    # Bytes written.
    writtenBytes: int
    # Mean size; null without reads and writes.
    meanBytes: float | None
    # Share of reads; null without reads and writes.
    readFraction: float | None
    # End of the range of addresses.
    endAddress: int
    # Its name.
    name: str
    # How long its requests took; null if the trace does not say.
    recorded: RecordedLatencies | None

# Congestion control of a connection.
TransportKind: TypeAlias = Literal["qtcp", "dctcp", "d2tcp", "swift", "dcqcn", "qrdma", "timely"]

# Where a value in force comes from.
ValueSource: TypeAlias = Literal["given", "default", "derived"]

# One of the kinds of object that a field may hold, told by the value of `kind`.
class Variant(TypedDict):
    # The word, as the document has it.
    value: str
    # Its name on the screen.
    title: str
    # What it means.
    sentence: str
    # Its other fields, in the order of the screen.
    fields: list[CatalogueField]

# A word that a field may hold.
class WordSuggestion(TypedDict):
    # As the document has it.
    value: str | bool
    # On the screen.
    title: str

# How a workload arrives.
class WorkloadPlan(TypedDict):
    # Requests.
    requests: int
    # Mean rate.
    rateIops: float
    # Burstiness at growing scales.
    burstiness: list[Burstiness]
