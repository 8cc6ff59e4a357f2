package gatebook.api.node;

import gatebook.api.anchor.AnchorStatus;
import gatebook.api.anchor.CheckpointAnchors;
import gatebook.api.data.RetentionSection;
import gatebook.api.erasure.ContentErasure;
import gatebook.api.erasure.ErasureFigures;
import gatebook.api.erasure.ErasureFollower;
import gatebook.api.erasure.ErasureSweep;
import gatebook.api.erasure.EventRetention;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.api.witness.LogWitnesses;
import gatebook.events.journal.Journal;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.journal.storage.RepeatedTask;
import gatebook.events.kept.KeptEvents;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node does with its journal in the background: it finishes erasures, erases and drops what
 * is older than it is kept, makes the keys of the next day, sends checkpoints to anchors, and asks
 * the witnesses of the log.
 */
final class JournalMaintenance implements MeterBinder, AutoCloseable {
  private final Journal journal;
  private final ContentKeyStore contentKeys;
  private final EventVocabulary eventVocabulary;
  private final Views views;
  private final RetentionSection retention;
  private final LogWitnesses logWitnesses;
  private final Clock clock;
  private final ErasureFigures erasureFigures = new ErasureFigures();
  private final Optional<ErasureFollower> erasureFollower;
  private final List<RepeatedTask> tasks = new ArrayList<>();
  private final CheckpointAnchors checkpointAnchors;
  private @Nullable ContentErasure contentErasure;
  private @Nullable EventRetention eventRetention;

  JournalMaintenance(
      Journal journal,
      ContentKeyStore contentKeys,
      EventVocabulary eventVocabulary,
      Views views,
      RetentionSection retention,
      LogWitnesses logWitnesses,
      Clock clock) {
    this.journal = journal;
    this.contentKeys = contentKeys;
    this.eventVocabulary = eventVocabulary;
    this.views = views;
    this.retention = retention;
    this.logWitnesses = logWitnesses;
    this.clock = clock;
    this.checkpointAnchors = new CheckpointAnchors(journal::newestCheckpoint, clock);
    this.erasureFollower =
        journal.isShared() ? Optional.of(new ErasureFollower(journal)) : Optional.empty();
  }

  ErasureFigures erasureFigures() {
    return erasureFigures;
  }

  List<AnchorStatus> anchors() {
    return checkpointAnchors.statuses();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    checkpointAnchors.bindTo(registry);
  }

  synchronized ContentErasure contentErasure(OperatorServices operatorServices) {
    ContentErasure erasure = contentErasure;
    if (erasure == null) {
      erasure =
          new ContentErasure(
              journal,
              contentKeys,
              eventVocabulary,
              views,
              operatorServices.approvalSender()::decide,
              operatorServices.legalHolds(),
              erasureFigures,
              clock);
      contentErasure = erasure;
    }
    return erasure;
  }

  synchronized void start(OperatorServices operatorServices, AnchorRecords anchorRecords) {
    ErasureSweep sweep =
        new ErasureSweep(contentErasure(operatorServices), retention.contentDays());
    tasks.add(new RepeatedTask("erasure-sweep", ErasureSweep.PAUSE, sweep::sweep).start());
    NextDayKeys keysAhead = new NextDayKeys(contentKeys, operatorServices.limits(), clock);
    tasks.add(new RepeatedTask("next-day-keys", NextDayKeys.PAUSE, keysAhead::makeShare).start());
    EventRetention drops =
        new EventRetention(
            journal,
            eventVocabulary,
            retention.drop(),
            new KeptEvents(clock),
            operatorServices.legalHolds(),
            erasureFigures,
            clock);
    eventRetention = drops;
    drops.start();
    checkpointAnchors.start(
        operatorServices.checkpointRules(), operatorServices.limits(), anchorRecords);
    logWitnesses.start(operatorServices.witnesses(), operatorServices.limits());
  }

  @Override
  public synchronized void close() {
    tasks.forEach(RepeatedTask::close);
    checkpointAnchors.close();
    logWitnesses.close();
    if (eventRetention != null) {
      eventRetention.close();
    }
    erasureFollower.ifPresent(ErasureFollower::close);
  }
}
