package gatebook.api.again;

import gatebook.events.Named;
import gatebook.events.RulesActivated;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.Vocabulary;
import java.util.List;
import java.util.Optional;
import org.axonframework.messaging.core.MessageType;

/** Goes back in the journal, page by page, until the rules are found. */
public final class JournalActivations implements Activations {

  private static final String ACTIVATED = Named.NAMESPACE + ".RulesActivated";
  private static final int PAGE = 1_000;

  private final Journal journal;
  private final Vocabulary vocabulary = new Vocabulary();

  public JournalActivations(Journal journal) {
    this.journal = journal;
  }

  @Override
  public Optional<Activated> byHash(String rulesHash, long before) {
    for (long upTo = before - 1; upTo > 0; upTo -= PAGE) {
      Optional<Activated> found = newest(journal.find(null, upTo - PAGE, upTo, PAGE), rulesHash);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<Activated> newest(List<Entry> page, String rulesHash) {
    return page.reversed().stream()
        .filter(entry -> entry.name().equals(ACTIVATED))
        .map(entry -> new Activated(entry.at(), read(entry)))
        .filter(activated -> activated.rules().rulesHash().equals(rulesHash))
        .findFirst();
  }

  private RulesActivated read(Entry entry) {
    return (RulesActivated)
        vocabulary.read(new MessageType(entry.name(), entry.version()), entry.payload());
  }
}
