package gatebook.api.data;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.archive.ArchiveLock;
import gatebook.api.data.RetentionSection.DropLimits;
import gatebook.events.journal.segment.archive.SegmentRetention;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads the section {@code retention} once, and continues after a mistake to find the others. */
final class RetentionReader {
  private static final long DAYS_MAX = 36_500;
  private static final long BYTES_MIN = 1 << 20;

  private final BiConsumer<Node, String> mistakes;
  private final Limits events = new Limits("retention.events");
  private final Limits drop = new Limits("retention.drop");
  private OptionalInt contentDays = OptionalInt.empty();
  private boolean belowFloor;
  private @Nullable ArchiveAddress archive;
  private @Nullable Node lockNode;
  private OptionalLong lockDays = OptionalLong.empty();
  private ArchiveLock.@Nullable Mode lockMode;

  /**
   * @param mistakes takes what is wrong, and where
   */
  RetentionReader(BiConsumer<Node, String> mistakes) {
    this.mistakes = mistakes;
  }

  /** Reads a key and its value. */
  @FunctionalInterface
  private interface Setting {
    void read(ScalarNode key, Node value);
  }

  RetentionSection read(Node section) {
    settings("retention", section, this::setting);
    events.requireFloor();
    drop.requireFloor();
    if (events.node != null && archive == null) {
      mistakes.accept(
          events.node,
          "'retention.events' needs 'retention.archive': what drops events for good is"
              + " 'retention.drop'");
    }
    return new RetentionSection(
        events.days(),
        events.bytes,
        belowFloor,
        contentDays,
        Optional.ofNullable(archive),
        lock(),
        drop.node == null
            ? Optional.empty()
            : Optional.of(
                new DropLimits(
                    drop.days(), drop.bytes, belowFloor ? Duration.ZERO : SegmentRetention.FLOOR)));
  }

  private void settings(String name, Node node, Setting setting) {
    if (!(node instanceof MappingNode mapping)) {
      mistakes.accept(node, "'%s' must hold keys and values".formatted(name));
      return;
    }
    Set<String> seen = new HashSet<>();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        mistakes.accept(entry.getKeyNode(), "a key of '%s' is a text".formatted(name));
      } else if (!seen.add(key.getValue())) {
        mistakes.accept(key, "'%s.%s' is there twice".formatted(name, key.getValue()));
      } else {
        setting.read(key, entry.getValueNode());
      }
    }
  }

  private void setting(ScalarNode key, Node value) {
    switch (key.getValue()) {
      case "events" -> events.read(value);
      case "drop" -> drop.read(value);
      case "content" -> content(value);
      case "below_floor" -> belowFloor(value);
      case "archive" -> archive(value);
      case "archive_lock" -> {
        lockNode = value;
        settings("retention.archive_lock", value, this::lock);
      }
      default -> unknown("retention", key);
    }
  }

  /** A number of days, or the same as its {@code days}. */
  private void content(Node value) {
    if (value instanceof ScalarNode text) {
      contentDays = days(text, text.getValue().replaceFirst("d$", ""));
    } else {
      settings(
          "retention.content",
          value,
          (key, days) -> {
            if (key.getValue().equals("days") && days instanceof ScalarNode text) {
              contentDays = days(text, text.getValue());
            } else {
              unknown("retention.content", key);
            }
          });
    }
  }

  private OptionalInt days(Node where, String text) {
    try {
      long days = Long.parseLong(text);
      if (days >= 1 && days <= DAYS_MAX) {
        return OptionalInt.of((int) days);
      }
    } catch (NumberFormatException _) {
      // told below
    }
    mistakes.accept(
        where,
        "'retention.content' is a number of days from 1 to %d, as in 90d".formatted(DAYS_MAX));
    return OptionalInt.empty();
  }

  private void unknown(String name, ScalarNode key) {
    mistakes.accept(key, "there is no setting '%s.%s'".formatted(name, key.getValue()));
  }

  private OptionalLong number(String name, Node value, long least, long most) {
    try {
      if (value instanceof ScalarNode text) {
        long number = Long.parseLong(text.getValue().replace("_", ""));
        if (number >= least && number <= most) {
          return OptionalLong.of(number);
        }
        mistakes.accept(
            value, "'%s' must be from %d to %d, not %d".formatted(name, least, most, number));
        return OptionalLong.empty();
      }
    } catch (NumberFormatException _) {
      // told below
    }
    mistakes.accept(value, "'%s' must be a whole number".formatted(name));
    return OptionalLong.empty();
  }

  private void belowFloor(Node value) {
    String text = value instanceof ScalarNode scalar ? scalar.getValue() : "";
    switch (text) {
      case "true" -> belowFloor = true;
      case "false" -> belowFloor = false;
      default -> mistakes.accept(value, "'retention.below_floor' is true or false");
    }
  }

  private void archive(Node value) {
    Optional<ArchiveAddress> address =
        value instanceof ScalarNode text ? ArchiveAddress.parse(text.getValue()) : Optional.empty();
    if (address.isEmpty()) {
      mistakes.accept(value, "'retention.archive' is " + ArchiveAddress.FORM);
    }
    archive = address.orElse(null);
  }

  private void lock(ScalarNode key, Node value) {
    switch (key.getValue()) {
      case "days" -> lockDays = number("retention.archive_lock.days", value, 1, DAYS_MAX);
      case "mode" -> {
        switch (value instanceof ScalarNode text ? text.getValue() : "") {
          case "governance" -> lockMode = ArchiveLock.Mode.GOVERNANCE;
          case "compliance" -> lockMode = ArchiveLock.Mode.COMPLIANCE;
          default ->
              mistakes.accept(value, "'retention.archive_lock.mode' is governance or compliance");
        }
      }
      default -> unknown("retention.archive_lock", key);
    }
  }

  private Optional<ArchiveLock> lock() {
    ArchiveLock.Mode mode = lockMode;
    if (lockNode == null) {
      return Optional.empty();
    }
    if (!(archive instanceof ArchiveAddress.Bucket)) {
      mistakes.accept(lockNode, "'retention.archive_lock' needs a 'retention.archive' in S3");
    }
    if (mode == null || lockDays.isEmpty()) {
      mistakes.accept(lockNode, "'retention.archive_lock' has a 'mode' and 'days'");
      return Optional.empty();
    }
    return Optional.of(new ArchiveLock(mode, (int) lockDays.getAsLong()));
  }

  /** The age and the bytes from which on events go. */
  private final class Limits {
    private final String name;
    private OptionalLong days = OptionalLong.empty();
    private OptionalLong bytes = OptionalLong.empty();
    private @Nullable Node node;
    private @Nullable Node daysNode;

    Limits(String name) {
      this.name = name;
    }

    void read(Node value) {
      node = value;
      settings(name, value, this::limit);
      if (days.isEmpty() && bytes.isEmpty()) {
        mistakes.accept(value, "'%s' has 'days', 'bytes' or both".formatted(name));
      }
    }

    private void limit(ScalarNode key, Node value) {
      switch (key.getValue()) {
        case "days" -> {
          daysNode = value;
          days = number(name + ".days", value, 1, DAYS_MAX);
        }
        case "bytes" -> bytes = number(name + ".bytes", value, BYTES_MIN, Long.MAX_VALUE);
        default -> unknown(name, key);
      }
    }

    OptionalInt days() {
      return days.isPresent() ? OptionalInt.of((int) days.getAsLong()) : OptionalInt.empty();
    }

    void requireFloor() {
      long floor = SegmentRetention.FLOOR.toDays();
      if (daysNode != null && days.isPresent() && days.getAsLong() < floor && !belowFloor) {
        mistakes.accept(
            daysNode,
            "'%s.days' is below the floor of %d: set 'retention.below_floor: true' if shorter is allowed"
                .formatted(name, floor));
      }
    }
  }
}
