package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods.Described;
import java.util.List;

/** What whoever shows an operator's token may ask here: what is read, and nothing that acts. */
final class StdioAuditMethods {

  static final List<Described> ALL =
      List.of(
          read(
              "audit.lookup",
              "What happened to the calls that an id stands for.",
              "{calls: [object]}",
              "id: string",
              "asOf: string?"),
          read(
              "audit.calls",
              "Calls that have something in common.",
              "{calls: [object]}",
              "status: string?",
              "method: string?",
              "principal: string?",
              "since: string?",
              "limit: integer?"),
          read(
              "audit.denials",
              "What was denied, in numbers.",
              "{total: integer, groups: [object]}",
              "by: [string]?",
              "since: string?",
              "until: string?"),
          read(
              "audit.errors",
              "What callers were told went wrong, in numbers.",
              "{groups: [object]}",
              "since: string?",
              "until: string?"),
          read("audit.projections", "How far each view has come.", "{projections: [object]}"),
          read(
              "audit.verify",
              "Whether the journal was edited.",
              "{clean: boolean, findings: [object]}",
              "against: [string]?"));

  private static Described read(String name, String description, String returns, String... params) {
    return new Described(name, description, List.of(params), returns);
  }

  private StdioAuditMethods() {}

  static boolean include(String method) {
    return ALL.stream().anyMatch(it -> it.name().equals(method));
  }
}
