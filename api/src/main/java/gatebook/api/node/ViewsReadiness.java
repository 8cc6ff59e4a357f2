package gatebook.api.node;

import gatebook.query.projection.ViewStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The readiness of the views: whether they have read enough of the journal. A view that lags far
 * behind would report recorded calls as never seen.
 *
 * @param word the state in one word
 * @param problem the problem, for operators; empty when there is none
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
    return "the view %s is %d events behind the journal: see audit.projections"
        .formatted(view.name(), view.lag());
  }
}
