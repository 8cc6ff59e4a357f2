package gatebook.events.journal.crash;

import java.util.List;

/** The result of one append, as reported to its caller. */
sealed interface ReportedResult {
  /** The id of the append, which its events contain in their payloads. */
  String append();

  /** The events are stored from a position on, with these contents. */
  record Stored(String append, long first, List<String> digests) implements ReportedResult {}

  /** None of its events is stored, and none ever will be. */
  record Absent(String append, String result) implements ReportedResult {}

  /** Either all of its events are stored or none. */
  record Unknown(String append) implements ReportedResult {}

  /** A result that the caller must never get. */
  record Wrong(String append, String what) implements ReportedResult {}

  default Line line() {
    return switch (this) {
      case Stored(String append, long first, List<String> digests) ->
          Line.of("stored", append, Long.toString(first), String.join(",", digests));
      case Absent(String append, String result) -> Line.of("absent", append, result);
      case Unknown(String append) -> Line.of("unknown", append);
      case Wrong(String append, String what) -> Line.of("wrong", append, what);
    };
  }

  static ReportedResult of(Line line) {
    return switch (line.word()) {
      case "stored" -> new Stored(line.at(1), line.number(2), List.of(line.at(3).split(",", -1)));
      case "absent" -> new Absent(line.at(1), line.at(2));
      case "unknown" -> new Unknown(line.at(1));
      default -> new Wrong(line.at(1), line.at(2));
    };
  }
}
