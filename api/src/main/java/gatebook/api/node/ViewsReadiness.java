package gatebook.api.node;

import gatebook.query.projection.ViewStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Whether the views know enough of the journal for a node to be called ready: what was recorded
 * long ago, and is not to be found, would be told as never seen.
 *
 * @param word what was found
 * @param problem for operators; empty when there is none
 */
record ViewsReadiness(String word, Optional<String> problem) {

  static ViewsReadiness of(List<ViewStatus> views, long lagEventsMax) {
    return views.stream()
        .max(Comparator.comparingLong(ViewStatus::lag))
        .filter(view -> view.lag() > lagEventsMax)
        .map(view -> new ViewsReadiness("behind", Optional.of(problem(view))))
        .orElseGet(() -> new ViewsReadiness("up-to-date", Optional.empty()));
  }

  private static String problem(ViewStatus view) {
    return "the view %s is %d events behind the journal: audit.projections tells more"
        .formatted(view.name(), view.lag());
  }
}
