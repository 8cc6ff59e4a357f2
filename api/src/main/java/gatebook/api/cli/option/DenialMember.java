package gatebook.api.cli.option;

import java.util.List;

/** Parses a member by which denials are counted. */
public final class DenialMember extends GroupMember {
  DenialMember() {
    super(List.of("gate", "tool", "principal", "reason", "code", "minute", "hour", "day"));
  }
}
