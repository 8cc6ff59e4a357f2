package gatebook.api.data;

import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.JournalLimits;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * The section {@code journal} of the configuration file, and the section {@code retention}, which
 * must be known before the journal can be read. Settings that are left out have their defaults.
 *
 * @param keyFile the file of the key that signs checkpoints; nodes that share a database share it
 * @param partitionEvents how many positions a partition of a shared database has
 */
public record JournalSection(
    Durability durability,
    JournalLimits limits,
    SegmentCompression compression,
    Optional<Path> keyFile,
    RetentionSection retention,
    DiskLimits disk,
    long partitionEvents) {

  public static final JournalSection DEFAULT =
      new JournalSection(
          Durability.POWER,
          JournalLimits.DEFAULT,
          SegmentCompression.DEFLATE,
          Optional.empty(),
          RetentionSection.KEEP_ALL,
          DiskLimits.DEFAULT,
          SharedLocation.PARTITION_EVENTS);

  /** The outcome of reading the section. */
  public sealed interface Reading {
    record Read(JournalSection section) implements Reading {}

    /** All mistakes, each with its line and column. */
    record Invalid(List<String> mistakes) implements Reading {
      public Invalid {
        mistakes = List.copyOf(mistakes);
      }
    }

    /** The file is not YAML, so whether it has the section is unknown. */
    record NotYaml(String mistake) implements Reading {}
  }

  public static Reading read(Path file) {
    try {
      return read(Files.readString(file), file.toString());
    } catch (IOException e) {
      return new Reading.Invalid(List.of("cannot read the configuration file " + file));
    }
  }

  /** Reads the section from the text of the file of this name. */
  public static Reading read(String yaml, String name) {
    try {
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(yaml));
      return new Reader(name).read(root);
    } catch (MarkedYAMLException e) {
      return new Reading.NotYaml(at(name, e) + ": " + e.getProblem());
    } catch (YAMLException e) {
      return new Reading.NotYaml(name + ": this is no YAML");
    }
  }

  private static String at(String name, MarkedYAMLException e) {
    return e.getProblemMark() == null
        ? name
        : "%s:%d:%d"
            .formatted(name, e.getProblemMark().getLine() + 1, e.getProblemMark().getColumn() + 1);
  }

  /** Reads the section once, and continues after a mistake to find the others. */
  private static final class Reader {
    private final String name;
    private final List<String> mistakes = new ArrayList<>();
    private final Map<String, Long> numbers = new TreeMap<>();
    private Durability durability = Durability.POWER;
    private SegmentCompression compression = SegmentCompression.DEFLATE;
    private @Nullable Path keyFile;

    Reader(String name) {
      this.name = name;
    }

    Reading read(@Nullable Node root) {
      Node journal = root == null ? null : value(root, "journal");
      if (journal != null) {
        section(journal);
      }
      Node kept = root instanceof MappingNode ? value(root, "retention") : null;
      RetentionSection retention =
          kept == null ? RetentionSection.KEEP_ALL : new RetentionReader(this::mistake).read(kept);
      return mistakes.isEmpty()
          ? new Reading.Read(
              new JournalSection(
                  durability,
                  limits(),
                  compression,
                  Optional.ofNullable(keyFile),
                  retention,
                  disk(),
                  limit(Limit.PARTITION_EVENTS)))
          : new Reading.Invalid(mistakes);
    }

    private @Nullable Node value(Node mapping, String key) {
      if (!(mapping instanceof MappingNode root)) {
        mistake(mapping, "the file must hold keys and values");
        return null;
      }
      return root.getValue().stream()
          .filter(entry -> entry.getKeyNode() instanceof ScalarNode k && k.getValue().equals(key))
          .map(NodeTuple::getValueNode)
          .findFirst()
          .orElse(null);
    }

    private void section(Node journal) {
      if (!(journal instanceof MappingNode mapping)) {
        mistake(journal, "'journal' must hold keys and values");
        return;
      }
      Set<String> seen = new HashSet<>();
      for (NodeTuple entry : mapping.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key && !seen.add(key.getValue())) {
          mistake(key, "'journal.%s' is there twice".formatted(key.getValue()));
        }
        setting(entry);
      }
    }

    private void setting(NodeTuple entry) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)
          || !(entry.getValueNode() instanceof ScalarNode value)) {
        mistake(entry.getValueNode(), "a setting of 'journal' is one key and one value");
        return;
      }
      switch (key.getValue()) {
        case "durability" -> durability(value);
        case "segment_compression" -> compression(value);
        case "key_file" -> keyFile = Path.of(value.getValue());
        default -> number(key, value);
      }
    }

    private void durability(ScalarNode value) {
      switch (value.getValue()) {
        case "power" -> durability = Durability.POWER;
        case "process" -> durability = Durability.PROCESS;
        default -> mistake(value, "'journal.durability' is power or process");
      }
    }

    private void compression(ScalarNode value) {
      switch (value.getValue()) {
        case "deflate" -> compression = SegmentCompression.DEFLATE;
        case "none" -> compression = SegmentCompression.NONE;
        default -> mistake(value, "'journal.segment_compression' is deflate or none");
      }
    }

    private void number(ScalarNode key, ScalarNode value) {
      if (!Limit.isName(key.getValue())) {
        mistake(key, "there is no setting 'journal.%s'".formatted(key.getValue()));
        return;
      }
      try {
        long number = Long.parseLong(value.getValue().replace("_", ""));
        String wrong = Limit.named(key.getValue()).flaw(number);
        if (wrong == null) {
          numbers.put(key.getValue(), number);
        } else {
          mistake(value, "'journal.%s' %s".formatted(key.getValue(), wrong));
        }
      } catch (NumberFormatException e) {
        mistake(value, "'journal.%s' must be a whole number".formatted(key.getValue()));
      }
    }

    private JournalLimits limits() {
      return new JournalLimits(
          (int) limit(Limit.QUEUE_EVENTS_MAX),
          limit(Limit.QUEUE_BYTES_MAX),
          (int) limit(Limit.EVENT_BYTES_MAX),
          (int) limit(Limit.BATCH_EVENTS_MAX),
          limit(Limit.BATCH_BYTES_MAX),
          (int) limit(Limit.TAIL_EVENTS_MAX),
          limit(Limit.TAIL_BYTES_MAX),
          (int) limit(Limit.CHECKPOINT_EVENTS_MAX),
          limit(Limit.CHECKPOINT_MILLIS_MAX),
          limit(Limit.IN_DOUBT_MILLIS_MAX),
          (int) limit(Limit.READERS_MAX),
          limit(Limit.SEGMENT_BYTES_MAX),
          (int) limit(Limit.SEGMENT_BLOCK_BYTES_MAX));
    }

    private DiskLimits disk() {
      return new DiskLimits(
          (int) limit(Limit.DISK_WARNING_PERCENT),
          (int) limit(Limit.DISK_URGENT_PERCENT),
          limit(Limit.DISK_RESERVE_BYTES));
    }

    private long limit(Limit limit) {
      return numbers.getOrDefault(limit.key(), limit.defaultValue());
    }

    private void mistake(Node where, String what) {
      mistakes.add(
          "%s:%d:%d: %s"
              .formatted(
                  name,
                  where.getStartMark().getLine() + 1,
                  where.getStartMark().getColumn() + 1,
                  what));
    }
  }

  /** A limit of the journal, as the file names it. */
  enum Limit {
    QUEUE_EVENTS_MAX(JournalLimits.DEFAULT.queueEventsMax(), Integer.MAX_VALUE),
    QUEUE_BYTES_MAX(JournalLimits.DEFAULT.queueBytesMax(), Long.MAX_VALUE),
    EVENT_BYTES_MAX(JournalLimits.DEFAULT.eventBytesMax(), 1 << 20),
    BATCH_EVENTS_MAX(JournalLimits.DEFAULT.batchEventsMax(), Integer.MAX_VALUE),
    BATCH_BYTES_MAX(JournalLimits.DEFAULT.batchBytesMax(), Long.MAX_VALUE),
    TAIL_EVENTS_MAX(JournalLimits.DEFAULT.tailEventsMax(), 1 << 30),
    TAIL_BYTES_MAX(JournalLimits.DEFAULT.tailBytesMax(), Long.MAX_VALUE),
    CHECKPOINT_EVENTS_MAX(JournalLimits.DEFAULT.checkpointEventsMax(), Integer.MAX_VALUE),
    CHECKPOINT_MILLIS_MAX(JournalLimits.DEFAULT.checkpointMillisMax(), Integer.MAX_VALUE),
    IN_DOUBT_MILLIS_MAX(JournalLimits.DEFAULT.inDoubtMillisMax(), Integer.MAX_VALUE),
    READERS_MAX(JournalLimits.DEFAULT.readersMax(), 1_000),
    SEGMENT_BYTES_MAX(JournalLimits.DEFAULT.segmentBytesMax(), 1L << 30),
    SEGMENT_BLOCK_BYTES_MAX(
        JournalLimits.DEFAULT.segmentBlockBytesMax(),
        JournalLimits.SEGMENT_BLOCK_BYTES_MIN,
        JournalLimits.SEGMENT_BLOCK_BYTES_LIMIT),
    PARTITION_EVENTS(SharedLocation.PARTITION_EVENTS, 10_000, 1_000_000_000),
    DISK_WARNING_PERCENT(DiskLimits.DEFAULT.warningPercent(), 100),
    DISK_URGENT_PERCENT(DiskLimits.DEFAULT.urgentPercent(), 100),
    DISK_RESERVE_BYTES(DiskLimits.DEFAULT.reserveBytes(), Long.MAX_VALUE);

    private final long defaultValue;
    private final long minimum;
    private final long maximum;

    Limit(long normal, long most) {
      this(normal, 1, most);
    }

    Limit(long normal, long least, long most) {
      this.defaultValue = normal;
      this.minimum = least;
      this.maximum = most;
    }

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    long defaultValue() {
      return defaultValue;
    }

    long minimum() {
      return minimum;
    }

    static boolean isName(String key) {
      return List.of(values()).stream().anyMatch(limit -> limit.key().equals(key));
    }

    static Limit named(String key) {
      return valueOf(key.toUpperCase(Locale.ROOT));
    }

    /** Why this number cannot be the limit; null when it can. */
    @Nullable String flaw(long number) {
      if (number < minimum || number > maximum) {
        return "must be from %d to %d, not %d".formatted(minimum, maximum, number);
      }
      return this == TAIL_EVENTS_MAX && Long.bitCount(number) != 1
          ? "must be a power of two, not %d".formatted(number)
          : null;
    }
  }
}
