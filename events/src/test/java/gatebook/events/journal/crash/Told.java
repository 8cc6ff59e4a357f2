package gatebook.events.journal.crash;

import java.util.List;

/** How one append ended, as its caller was told. */
sealed interface Told {
  /** The name that the events of the append carry in their payloads. */
  String append();

  /** The events are there from a position on, with these contents. */
  record Stored(String append, long first, List<String> digests) implements Told {}

  /** None of its events is there, and none ever will be. */
  record Absent(String append, String answer) implements Told {}

  /** All of its events are there or none. */
  record Unknown(String append) implements Told {}

  /** An answer that the caller must never get. */
  record Wrong(String append, String what) implements Told {}

  default Line line() {
    return switch (this) {
      case Stored(String append, long first, List<String> digests) ->
          Line.of("stored", append, Long.toString(first), String.join(",", digests));
      case Absent(String append, String answer) -> Line.of("absent", append, answer);
      case Unknown(String append) -> Line.of("unknown", append);
      case Wrong(String append, String what) -> Line.of("wrong", append, what);
    };
  }

  static Told of(Line line) {
    return switch (line.word()) {
      case "stored" -> new Stored(line.at(1), line.number(2), List.of(line.at(3).split(",", -1)));
      case "absent" -> new Absent(line.at(1), line.at(2));
      case "unknown" -> new Unknown(line.at(1));
      default -> new Wrong(line.at(1), line.at(2));
    };
  }
}
