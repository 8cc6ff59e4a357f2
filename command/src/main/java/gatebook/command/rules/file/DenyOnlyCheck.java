package gatebook.command.rules.file;

import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Source;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks whether only deny rules keep callers from tools of a source. Such rules may not know every
 * name that the source takes for a denied one.
 */
final class DenyOnlyCheck {

  /** The place of the default action, which is no rule. */
  static final int DEFAULT = 0;

  private DenyOnlyCheck() {}

  /** The places of rules that forward all the rest of such a source. */
  static Set<Integer> places(Governance governance, List<Source> sources) {
    Set<Integer> places = new TreeSet<>();
    for (Source source : sources) {
      List<Rule> rules = rulesUpToCatchAll(governance, source);
      Rule catchAll =
          rules.isEmpty() || !rules.getLast().match().matchesAll() ? null : rules.getLast();
      Action rest = catchAll == null ? governance.defaultAction() : catchAll.action();
      boolean isDenied = rules.stream().anyMatch(rule -> rule.action() == Action.DENY);
      if (mayShowAnyTool(source) && isDenied && rest == Action.FORWARD) {
        places.add(catchAll == null ? DEFAULT : catchAll.place());
      }
    }
    return places;
  }

  private static boolean mayShowAnyTool(Source source) {
    return source.enabled() && source.expose().exposure() != Exposure.ALLOWLIST;
  }

  private static List<Rule> rulesUpToCatchAll(Governance governance, Source source) {
    List<Rule> rules = new ArrayList<>();
    for (Rule rule : governance.rules()) {
      if (rule.isFor(source.id())) {
        rules.add(rule);
        if (rule.match().matchesAll()) {
          break;
        }
      }
    }
    return rules;
  }
}
