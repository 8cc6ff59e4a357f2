package gatebook.api.cli;

import java.util.List;

/** Parses a member by which rates of errors are grouped. */
final class ErrorMember extends GroupMember {
  ErrorMember() {
    super(List.of("agent", "skill", "code"));
  }
}
