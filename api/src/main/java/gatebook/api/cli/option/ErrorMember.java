package gatebook.api.cli.option;

import java.util.List;
import java.util.stream.Stream;

/** Parses a member by which errors are grouped. */
public final class ErrorMember extends GroupMember {
  /** Groups by these have no rate. */
  public static final List<String> TIMES = List.of("minute", "hour", "day");

  ErrorMember() {
    super(
        Stream.concat(
                Stream.of("fault", "code", "gate", "target", "agent", "skill"), TIMES.stream())
            .toList());
  }
}
