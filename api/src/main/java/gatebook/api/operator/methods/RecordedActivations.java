package gatebook.api.operator.methods;

import gatebook.api.operator.redecide.RuleActivations;
import gatebook.query.Views;
import gatebook.query.calls.CallQueries.FoundActivation;
import gatebook.query.calls.FindActivation;
import java.util.Optional;

/** Finds activations of rules by the view of calls. */
final class RecordedActivations implements RuleActivations {

  private final Views views;

  RecordedActivations(Views views) {
    this.views = views;
  }

  @Override
  public Optional<Activated> byHash(String rulesHash, long before) throws InterruptedException {
    return find(rulesHash, before)
        .activation()
        .map(activation -> new Activated(activation.at(), activation.rules()));
  }

  /** The newest activation before a position, and how far the view has come. */
  FoundActivation find(String rulesHash, long before) throws InterruptedException {
    return views.queries().send(new FindActivation(rulesHash, before), FoundActivation.class);
  }
}
