package gatebook.query.denials;

import gatebook.events.journal.Journal;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import gatebook.query.trend.RecordedTime;
import java.util.List;
import java.util.OptionalLong;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;

/**
 * Answers queries about denials, which it counts and lists. The counts are exact: every denial
 * counts once.
 */
public final class DenialQueries {
  private final View view;
  private final RecordedTime recordedTime;

  private DenialQueries(View view, RecordedTime recordedTime) {
    this.view = view;
    this.recordedTime = recordedTime;
  }

  /** Starts following the journal with the view in this file. */
  public static DenialQueries follow(ViewFile views, Journal journal, EventReader reader) {
    return new DenialQueries(
        View.follow(views, journal, new DenialsProjection(), reader), new RecordedTime(journal));
  }

  public View view() {
    return view;
  }

  /**
   * The counts.
   *
   * @param total the count over all groups, including those not shown
   * @param groups the groups, largest first
   * @param more whether there are smaller groups
   */
  public record Counts(Reached reached, long total, List<DenialGroup> groups, boolean more) {
    public Counts {
      groups = List.copyOf(groups);
    }
  }

  @QueryHandler
  Counts handle(CountDenials query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.readSnapshot(it -> DenialCounter.of(it, query, recordedTime).count(reached));
  }

  /**
   * A page of denials, newest first.
   *
   * @param total the number of denials on all pages
   * @param next the cursor of the next page; empty on the last page
   */
  public record DenialPage(
      Reached reached, long total, List<ListedDenial> denials, OptionalLong next) {
    public DenialPage {
      denials = List.copyOf(denials);
    }
  }

  @QueryHandler
  DenialPage handle(ListDenials query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.readSnapshot(it -> DenialSelection.page(it, reached, query));
  }
}
