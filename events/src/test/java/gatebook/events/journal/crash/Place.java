package gatebook.events.journal.crash;

import gatebook.events.journal.Durability;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalSettings.Embedded;
import gatebook.events.journal.JournalSettings.Shared;
import java.nio.file.Path;
import java.util.List;

/** The settings of a journal under test, as words that a child process can be started with. */
record Place(String node, Path directory, JournalSettings.Location location) {
  private static final long MIB = 1 << 20;

  /** As by default, but many checkpoints, and an early end of doubt. */
  private static final JournalLimits LIMITS =
      new JournalLimits(
          65_536, 256 * MIB, 1 << 20, 4_096, 16 * MIB, 65_536, 64 * MIB, 400, 100, 1_000, 8);

  static Place embedded(Path directory) {
    return new Place("node-1", directory, new Embedded(directory.resolve("journal")));
  }

  JournalSettings settings() {
    return settings(Durability.POWER);
  }

  JournalSettings settings(Durability durability) {
    // the key is shared by all who append to one database, the file belongs to one process
    return new JournalSettings(
        location,
        durability,
        node,
        directory.resolve("checkpoint.key"),
        directory.resolve(node + ".checkpoint"),
        LIMITS);
  }

  Place as(String otherNode) {
    return new Place(otherNode, directory, location);
  }

  List<String> words() {
    return switch (location) {
      case Embedded(Path file, String fileSystem) ->
          List.of(node, directory.toString(), file.toString(), fileSystem);
      case Shared(String url, String user, String password) ->
          List.of(node, directory.toString(), url, user, password);
    };
  }

  static Place of(String[] words) {
    return new Place(
        words[0],
        Path.of(words[1]),
        words.length == 4
            ? new Embedded(Path.of(words[2]), words[3])
            : new Shared(words[2], words[3], words[4]));
  }
}
