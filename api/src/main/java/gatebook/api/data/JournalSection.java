package gatebook.api.data;

import gatebook.events.journal.Durability;
import gatebook.events.journal.JournalLimits;
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
 * The section {@code journal} of the configuration file. What it leaves out keeps its default.
 *
 * @param keyFile where the key that signs checkpoints is; nodes that share a database share it
 */
public record JournalSection(Durability durability, JournalLimits limits, Optional<Path> keyFile) {

  public static final JournalSection DEFAULT =
      new JournalSection(Durability.POWER, JournalLimits.DEFAULT, Optional.empty());

  /** What reading the section ends in. */
  public sealed interface Reading {
    record Read(JournalSection section) implements Reading {}

    /** Everything that is wrong, each with its line and column. */
    record Wrong(List<String> mistakes) implements Reading {
      public Wrong {
        mistakes = List.copyOf(mistakes);
      }
    }

    /** The file is no YAML, so nobody knows whether it has the section. */
    record NotYaml(String mistake) implements Reading {}
  }

  public static Reading read(Path file) {
    try {
      return read(Files.readString(file), file.toString());
    } catch (IOException e) {
      return new Reading.Wrong(List.of("cannot read the configuration file " + file));
    }
  }

  /** Reads a text that was read before from the file of this name. */
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

  /** Reads once, and goes on after a mistake to find the others. */
  private static final class Reader {
    private final String name;
    private final List<String> mistakes = new ArrayList<>();
    private final Map<String, Long> numbers = new TreeMap<>();
    private Durability durability = Durability.POWER;
    private @Nullable Path keyFile;

    Reader(String name) {
      this.name = name;
    }

    Reading read(@Nullable Node root) {
      Node journal = root == null ? null : value(root, "journal");
      if (journal != null) {
        section(journal);
      }
      return mistakes.isEmpty()
          ? new Reading.Read(new JournalSection(durability, limits(), Optional.ofNullable(keyFile)))
          : new Reading.Wrong(mistakes);
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
          (int) of(Limit.QUEUE_EVENTS_MAX),
          of(Limit.QUEUE_BYTES_MAX),
          (int) of(Limit.EVENT_BYTES_MAX),
          (int) of(Limit.BATCH_EVENTS_MAX),
          of(Limit.BATCH_BYTES_MAX),
          (int) of(Limit.TAIL_EVENTS_MAX),
          of(Limit.TAIL_BYTES_MAX),
          (int) of(Limit.CHECKPOINT_EVENTS_MAX),
          of(Limit.CHECKPOINT_MILLIS_MAX),
          of(Limit.IN_DOUBT_MILLIS_MAX),
          (int) of(Limit.READERS_MAX));
    }

    private long of(Limit limit) {
      return numbers.getOrDefault(limit.key(), limit.normal());
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

  /** A limit of the journal as the file names it. */
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
    READERS_MAX(JournalLimits.DEFAULT.readersMax(), 1_000);

    private final long normal;
    private final long most;

    Limit(long normal, long most) {
      this.normal = normal;
      this.most = most;
    }

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    long normal() {
      return normal;
    }

    static boolean isName(String key) {
      return List.of(values()).stream().anyMatch(limit -> limit.key().equals(key));
    }

    static Limit named(String key) {
      return valueOf(key.toUpperCase(Locale.ROOT));
    }

    /** What keeps this number from being the limit; null when nothing does. */
    @Nullable String flaw(long number) {
      if (number < 1 || number > most) {
        return "must be from 1 to %d, not %d".formatted(most, number);
      }
      return this == TAIL_EVENTS_MAX && Long.bitCount(number) != 1
          ? "must be a power of two, not %d".formatted(number)
          : null;
    }
  }
}
