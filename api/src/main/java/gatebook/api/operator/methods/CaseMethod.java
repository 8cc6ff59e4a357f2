package gatebook.api.operator.methods;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.casefile.CaseCheck;
import gatebook.api.casefile.CaseDraft;
import gatebook.api.casefile.CaseEvent;
import gatebook.api.casefile.CaseRedaction;
import gatebook.api.casefile.CaseRotation;
import gatebook.api.casefile.CaseVerdict;
import gatebook.api.operator.methods.CaseSubjects.Finding;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.HiddenArguments;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.api.timestamp.TimestampAuthority;
import gatebook.api.witness.LogWitnesses;
import gatebook.command.rules.CheckpointRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.Limit;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.KeyRotation;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.SignedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.witness.CosignatureStore.Quorate;
import gatebook.events.journal.witness.WitnessPolicy;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.calls.CallQueries.Activation;
import gatebook.query.proof.InclusionProof;
import gatebook.query.proof.InclusionProof.ProvenEvent;
import gatebook.query.proof.ProveEvents;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The method {@code audit.case}: makes the case file of a call or of a tree, which proves its
 * events to people who have neither this node nor its journal.
 */
public final class CaseMethod {
  public static final String NAME = "audit.case";

  public static final DeclaredParams PARAMS =
      DeclaredParams.of(
          RequestMember.required(
              "id",
              ParamTypes.TEXT,
              "Any id of exactly one call: its own, or that of its correlation, trace, task or"
                  + " approval; or the id of a tree or of one of its tasks."),
          AuditMethods.AT_LEAST);
  private static final Logger LOG = LoggerFactory.getLogger(CaseMethod.class);

  /** How long the tree of the journal is awaited when it is read for the first time. */
  private static final long READ_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private static final long LOOK_MILLIS = 20;

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final ContentKeys contentKeys;
  private final Views views;
  private final HiddenArguments hiddenArguments;
  private final LogWitnesses logWitnesses;
  private final Supplier<GatewayLimits> limits;
  private final Clock clock;
  private final Supplier<CheckpointRules> checkpointRules;
  private final TimestampAuthority timestampAuthority = new TimestampAuthority();
  private final CaseSubjects caseSubjects;

  /** One case file is made at a time: it is in memory. */
  private final ReentrantLock lock = new ReentrantLock(true);

  public CaseMethod(
      Journal journal,
      EventVocabulary eventVocabulary,
      ContentKeys contentKeys,
      Views views,
      HiddenArguments hiddenArguments,
      LogWitnesses logWitnesses,
      Supplier<GatewayLimits> limits,
      Supplier<CheckpointRules> checkpointRules,
      Clock clock) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.contentKeys = contentKeys;
    this.views = views;
    this.hiddenArguments = hiddenArguments;
    this.logWitnesses = logWitnesses;
    this.limits = limits;
    this.checkpointRules = checkpointRules;
    this.clock = clock;
    this.caseSubjects = new CaseSubjects(journal, views, limits);
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            NAME,
            "Makes a case file: every event of a call, or of a tree and its calls, with its proof,"
                + " and the rules that decided, in an archive that is checked without the journal."
                + " It has the keys of the events for an operator with the role arguments, and the"
                + " rules for one with the role admin. An event that no checkpoint covers gets one"
                + " first.",
            PARAMS,
            Set.of(Role.VIEW),
            true,
            ViewMethods.whenWhole(views, Views.CALLS, this::answer)));
  }

  private Outcome answer(CallParams callParams, Operator operator) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return switch (caseSubjects.find(callParams.text("id"), callParams.position("atLeast"))) {
        case Finding.NotFound(var outcome) -> outcome;
        case Finding.Found(var subject) -> new Making(subject, operator).make();
      };
    } catch (KeysUnavailable e) {
      return new Outcome.Busy("the content keys cannot be read now: " + e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  /** The making of one case file. */
  private final class Making {
    private final CaseSubject subject;
    private final Operator operator;
    private final SortedMap<Long, Entry> entries = new TreeMap<>();
    private final List<CaseRedaction> rulesNotShown = new ArrayList<>();

    Making(CaseSubject subject, Operator operator) {
      this.subject = subject;
      this.operator = operator;
      subject.entries().forEach(entry -> entries.put(entry.position(), entry));
    }

    Outcome make() throws InterruptedException {
      addRules();
      Optional<Outcome> tooMany = caseSubjects.tooMany(entries.size());
      if (tooMany.isPresent()) {
        return tooMany.get();
      }
      long bytes = entries.values().stream().mapToLong(it -> it.payload().length).sum();
      if (bytes > bytesMax()) {
        return tooLarge();
      }
      Optional<Outcome> unsigned = cover(entries.lastKey());
      return unsigned.isPresent() ? unsigned.get() : prove();
    }

    private long bytesMax() {
      return limits.get().get(Limit.CASE_BYTES_MAX);
    }

    private Outcome tooLarge() {
      return new Outcome.Busy(
          "the case file would have more than %d bytes: raise limits.%s in the rules"
              .formatted(bytesMax(), Limit.CASE_BYTES_MAX.key()));
    }

    /** Adds the activations of the rules that the events name. */
    private void addRules() throws InterruptedException {
      RecordedActivations activations = new RecordedActivations(views);
      Set<String> hashes = new HashSet<>();
      for (Entry entry : subject.entries()) {
        String hash = CaseDisclosure.json(entry).path("rulesHash").asText("");
        if (hash.isEmpty() || !hashes.add(hash)) {
          continue;
        }
        Optional<Entry> rules =
            activations
                .find(hash, entry.position())
                .activation()
                .map(Activation::position)
                .flatMap(at -> journal.find(null, at - 1, at, 1).stream().findFirst());
        rules.ifPresentOrElse(
            it -> entries.put(it.position(), it),
            () ->
                rulesNotShown.add(
                    new CaseRedaction(
                        CaseRedaction.RULES,
                        hash,
                        journal.droppedThrough().isPresent() ? "dropped" : "not-recorded")));
      }
    }

    /** Has a checkpoint signed unless one covers the position; the outcome when there is none. */
    private Optional<Outcome> cover(long position) {
      if (isCovered(position)) {
        return Optional.empty();
      }
      var _ = journal.sign().join();
      return isCovered(position)
          ? Optional.empty()
          : Optional.of(
              new Outcome.Busy(
                  "no checkpoint covers the newest of these events, and none can be signed now: "
                      + unsigned()));
    }

    /** Why this node signs nothing now. */
    private String unsigned() {
      return switch (journal.state()) {
        case JournalState.Unavailable(var reason) -> reason;
        case JournalState.Distrusted(var reason) -> reason;
        case JournalState.ReadOnly(var reason) -> reason;
        case JournalState.RolledBack(var reason) -> reason;
        case JournalState.Closed() -> "the journal is closed";
        case JournalState.Writable() -> journal.refusalToSign().orElse("try again");
      };
    }

    private boolean isCovered(long position) {
      return journal.newestCheckpoint().filter(it -> it.size() >= position).isPresent();
    }

    private Outcome prove() throws InterruptedException {
      VerifierKey key = journal.verifier();
      Optional<Quorate> cosigned = cosigned(key);
      ProveEvents query =
          new ProveEvents(List.copyOf(entries.keySet()), cosigned.map(Quorate::note));
      InclusionProof proof = views.queries().send(query, InclusionProof.class);
      long until = System.nanoTime() + READ_NANOS_MAX;
      while (proof instanceof InclusionProof.BeingRead && System.nanoTime() < until) {
        Thread.sleep(LOOK_MILLIS);
        proof = views.queries().send(query, InclusionProof.class);
      }
      return switch (proof) {
        case InclusionProof.Proven(var signedTree, var events) ->
            events.size() < entries.size() || events.stream().anyMatch(it -> it.path().isEmpty())
                ? new Outcome.Busy("events were dropped meanwhile: try again")
                : sign(draft(signedTree.note(), key, events, cosigned.map(Quorate::policy)));
        case InclusionProof.NothingRecorded() ->
            new Outcome.Busy("events were dropped meanwhile: try again");
        case InclusionProof.Unavailable unavailable -> ProofMethod.notNow(unavailable);
      };
    }

    /** The newest cosigned checkpoint, if the key signed it and it covers all events. */
    private Optional<Quorate> cosigned(VerifierKey key) {
      try {
        return logWitnesses
            .cosigned()
            .filter(it ->
                Checkpoint.open(it.note().getBytes(UTF_8), List.of(key))
                        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _)
                    && checkpoint.size() >= entries.lastKey());
      } catch (IOException _) {
        return Optional.empty(); // the newest checkpoint proves as much of the events
      }
    }

    private CaseDraft draft(
        String note, VerifierKey key, List<ProvenEvent> proven, Optional<WitnessPolicy> witnesses) {
      CaseDisclosure disclosure =
          new CaseDisclosure(
              eventVocabulary, contentKeys, hiddenArguments, operator, subject.entries());
      List<CaseEvent> events = new ArrayList<>();
      for (ProvenEvent event : proven) {
        events.add(
            disclosure.disclose(
                Objects.requireNonNull(entries.get(event.position())),
                event.envelope(),
                event.path().orElseThrow()));
      }
      disclosure.redactions().addAll(rulesNotShown);
      Optional<byte[]> timestamp = timestamp(note, disclosure.redactions());
      return new CaseDraft(
          subject.tags(),
          note,
          key,
          events,
          disclosure.redactions(),
          views.droppedThrough(Optional.of(subject.begin())),
          timestamp,
          rotations(note),
          witnesses,
          clock.instant());
    }

    /** The rotations of the key that a checkpoint covers. */
    private List<CaseRotation> rotations(String note) {
      long size = Checkpoint.ofNote(note).orElseThrow().size();
      return journal.keyHistory().rotations().stream()
          .filter(rotation -> rotation.position() <= size)
          .flatMap(rotation -> rotation(rotation).stream())
          .toList();
    }

    /** Empty when the journal does not prove it, as after an acceptance of edited events. */
    private Optional<CaseRotation> rotation(KeyRotation rotation) {
      long position = rotation.position();
      String note =
          journal
              .checkpointOver(position)
              .map(StoredCheckpoint::note)
              .filter(it -> rotation.isSignedBy(it.getBytes(UTF_8)))
              .orElse("");
      InclusionPath path = journal.inclusion(position, position);
      LeafHasher hasher = new LeafHasher();
      return journal.find(null, position - 1, position, 1).stream()
          .filter(entry ->
              Checkpoint.ofNote(note)
                  .filter(it -> Arrays.equals(path.rootFrom(hasher.leaf(entry)), it.root()))
                  .isPresent())
          .map(
              entry -> new CaseRotation(position, hasher.bytes(entry), entry.payload(), path, note))
          .findFirst();
    }

    /** The timestamp of a checkpoint, if the rules name an authority and it gives one. */
    private Optional<byte[]> timestamp(String note, List<CaseRedaction> redactions) {
      Optional<URI> url = checkpointRules.get().timestamp();
      if (url.isEmpty()) {
        return Optional.empty();
      }
      return switch (timestampAuthority.stamp(url.get(), note.getBytes(UTF_8), limits.get())) {
        case TimestampAuthority.Outcome.Stamped(var token) -> Optional.of(token);
        case TimestampAuthority.Outcome.NotStamped(var word, var sentence) -> {
          LOG.atWarn()
              .addKeyValue("reason", sentence)
              .log("a case file has no timestamp: the authority gave none");
          redactions.add(CaseRedaction.ofTimestamp(word));
          yield Optional.empty();
        }
      };
    }

    private Outcome sign(CaseDraft draft) {
      SortedMap<String, byte[]> members = draft.members();
      Optional<byte[]> manifest = journal.signNote(draft.manifest(members), draft.origin());
      if (manifest.isEmpty()) {
        return new Outcome.Busy(
            "a case file has to be signed, and this node signs nothing now: " + unsigned());
      }
      if (!(SignedNote.open(manifest.get(), List.of(draft.key()), manifest.get().length)
          instanceof OpenedNote.Valid<String>)) {
        return new Outcome.Busy("the checkpoint key was replaced meanwhile: try again");
      }
      byte[] archive = CaseDraft.archive(members, manifest.get());
      return archive.length > bytesMax() ? tooLarge() : checked(draft, archive);
    }

    /** An event whose row was edited, and whose leaf was not, is only found here. */
    private Outcome checked(CaseDraft draft, byte[] archive) {
      return switch (CaseCheck.check(archive, draft.key())) {
        case CaseVerdict.Accepted _ -> new Outcome.Answered(json(draft, archive), subject.call());
        case CaseVerdict.Refused(var sentence) ->
            new Outcome.Busy(
                "the case file would be refused, since %s: audit.verify says what was edited"
                    .formatted(sentence));
      };
    }

    private static Map<String, Object> json(CaseDraft draft, byte[] archive) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("subjects", draft.subjects());
      result.put("events", draft.events().size());
      result.put("keys", draft.events().stream().filter(it -> it.key() != null).count());
      result.put("notShown", draft.redactions());
      result.put("timestamped", draft.timestamp().isPresent());
      result.put("origin", draft.origin());
      result.put("key", draft.key().named(draft.origin()).label());
      draft.dropped().ifPresent(it -> result.put(DroppedPart.MEMBER, it.toString()));
      result.put("bytes", archive.length);
      result.put("file", Base64.getEncoder().encodeToString(archive));
      return result;
    }
  }
}
