package gatebook.api.casefile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.timestamp.TimestampToken;
import gatebook.api.timestamp.TrustedAuthorities;
import gatebook.events.Named;
import gatebook.events.journal.RecordedRotation;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.KeyRotation;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.SignedNote;
import gatebook.events.journal.checkpoint.TlogProof;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.Sha256;
import gatebook.events.keys.EventKey;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.OpenedPayload;
import gatebook.query.call.EventData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The check of a case file, with nothing but the file and the verifier key that is trusted: without
 * a journal, and without any of the keys that the file itself names.
 */
public final class CaseCheck {
  private static final Pattern EVENT =
      Pattern.compile(
          "events/([0-9]{19})/(envelope|payload|metadata|proof\\.tlog-proof|(original-)?key)");
  private static final Pattern ROTATION =
      Pattern.compile("rotations/([0-9]{19})/(checkpoint|envelope|payload|proof\\.tlog-proof)");
  private static final Pattern REDACTION =
      Pattern.compile(
          "(payload|content|original) [1-9][0-9]{0,18} [a-z-]+|rules [!-~]{1,200} [a-z-]+"
              + "|timestamp checkpoint [a-z-]+");
  private static final Set<String> FIXED =
      Set.of(
          CaseManifest.NAME,
          CaseDraft.CHECKPOINT,
          CaseDraft.POLICY,
          CaseDraft.REDACTIONS,
          CaseDraft.PAGE,
          CaseDraft.README);

  /** Events that belong to no call. */
  private static final Set<String> OF_THE_LOG = Set.of(Named.NAMESPACE + ".RulesActivated");

  private static final int EVENT_KEY_BYTES = 32;
  private static final byte[] NOTHING = {};

  private final SortedMap<String, byte[]> members;
  private final List<String> replaced = new ArrayList<>();
  private VerifierKey key;
  private final Optional<TrustedAuthorities> authorities;

  private CaseCheck(
      SortedMap<String, byte[]> members,
      VerifierKey key,
      Optional<TrustedAuthorities> authorities) {
    this.members = members;
    this.key = key;
    this.authorities = authorities;
  }

  /** Checks a file of any bytes. */
  public static CaseVerdict check(byte[] file, VerifierKey key) {
    return check(file, key, Optional.empty());
  }

  /**
   * The same; a timestamp in the file is refused unless it is by one of these authorities.
   *
   * @param authorities empty when a timestamp of anybody is shown
   */
  public static CaseVerdict check(
      byte[] file, VerifierKey key, Optional<TrustedAuthorities> authorities) {
    return switch (CanonicalZip.read(file)) {
      case CanonicalZip.Reading.Refused(var sentence) -> new CaseVerdict.Refused(sentence);
      case CanonicalZip.Reading.Read(var members) ->
          members.keySet().containsAll(FIXED)
              ? new CaseCheck(members, key, authorities).check()
              : new CaseVerdict.Refused("a member that every case file has is missing");
    };
  }

  /** Ends a check at the first thing that is wrong. */
  private static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String sentence) {
      super(sentence, null, false, false);
    }
  }

  private static void require(boolean holds, String otherwise) throws Wrong {
    if (!holds) {
      throw new Wrong(otherwise);
    }
  }

  private static <T> T required(Optional<T> value, String otherwise) throws Wrong {
    require(value.isPresent(), otherwise);
    return value.orElseThrow();
  }

  private CaseVerdict check() {
    try {
      long rotatedAt = followRotations();
      CaseManifest manifest = manifest();
      Checkpoint checkpoint = checkpoint(manifest);
      require(rotatedAt <= checkpoint.size(), "the checkpoint is from before its key");
      List<CheckedEvent> events = new ArrayList<>();
      for (long position : positions()) {
        events.add(event(position, manifest, checkpoint));
      }
      require(!events.isEmpty(), "it has no events");
      return new CaseVerdict.Accepted(
          checkpoint.origin(),
          key.named(checkpoint.origin()).label(),
          checkpoint.size(),
          manifest.made(),
          manifest.subjects(),
          manifest.dropped(),
          events,
          redactions(),
          timestamp(),
          replaced);
    } catch (Wrong e) {
      return new CaseVerdict.Refused(String.valueOf(e.getMessage()));
    }
  }

  private byte[] member(String name) throws Wrong {
    return required(Optional.ofNullable(members.get(name)), name + " is missing");
  }

  private CaseManifest manifest() throws Wrong {
    byte[] signed = member(CaseManifest.NAME);
    String text =
        switch (SignedNote.open(signed, List.of(key), signed.length)) {
          case OpenedNote.Valid<String>(var content, _) -> content;
          case OpenedNote.UnknownKey<String>(var keys) ->
              throw new Wrong(
                  "it is signed by %s and not by the given key: after a rotation of the checkpoint key, ask for the verifier key of that time"
                      .formatted(String.join(", ", keys)));
          case OpenedNote.WrongSignature<String> _ ->
              throw new Wrong("the manifest was changed: its signature is wrong");
          case OpenedNote.NotInForce<String> _, OpenedNote.Malformed<String> _ ->
              throw new Wrong("the manifest is no signed note");
        };
    CaseManifest manifest =
        required(
            CaseManifest.read(text),
            CaseManifest.newer(text).orElse("the manifest is not that of a case file"));
    require(
        List.copyOf(manifest.members().entrySet())
            .equals(List.copyOf(CaseManifest.digests(members).entrySet())),
        "the members are not those that the manifest lists");
    return manifest;
  }

  private Checkpoint checkpoint(CaseManifest manifest) throws Wrong {
    if (!(Checkpoint.open(member(CaseDraft.CHECKPOINT), List.of(key))
        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _))) {
      throw new Wrong("the checkpoint is not signed by the given key");
    }
    require(checkpoint.origin().equals(manifest.origin()), "the checkpoint is of another log");
    return checkpoint;
  }

  private Optional<CaseVerdict.CheckedTimestamp> timestamp() throws Wrong {
    byte[] member = members.get(CaseDraft.TIMESTAMP);
    if (member == null) {
      require(authorities.isEmpty(), "it has no timestamp");
      return Optional.empty();
    }
    TimestampToken token =
        switch (TimestampToken.read(member)) {
          case TimestampToken.Reading.Refused(var sentence) -> throw new Wrong(sentence);
          case TimestampToken.Reading.Read(var read) -> read;
        };
    require(token.isOf(member(CaseDraft.CHECKPOINT)), "its timestamp is of something else");
    require(
        authorities.isEmpty() || authorities.get().trust(token),
        "its timestamp is by %s, which no given certificate vouches for"
            .formatted(token.authority()));
    return Optional.of(
        new CaseVerdict.CheckedTimestamp(
            token.at().toString(), token.authority(), authorities.isPresent()));
  }

  /**
   * Goes on from the given key to the one that replaced it, and so on.
   *
   * @return the position of the last rotation that was followed; 0 without any
   */
  private long followRotations() throws Wrong {
    long last = 0;
    for (long position : positions(ROTATION)) {
      KeyRotation rotation = rotation(position);
      if (rotation.oldKey().isSameKey(key)) {
        replaced.add(
            "%s replaced %s at position %d"
                .formatted(rotation.newKey().label(), rotation.oldKey().label(), position));
        key = rotation.newKey();
        last = position;
      }
    }
    return last;
  }

  private KeyRotation rotation(long position) throws Wrong {
    String folder = CaseRotation.folder(position);
    byte[] bytes = member(folder + CaseDraft.ENVELOPE);
    byte[] payload = member(folder + CaseDraft.PAYLOAD);
    byte[] note = member(folder + CaseDraft.CHECKPOINT);
    ParsedEnvelope envelope = required(ParsedEnvelope.read(bytes), folder + " has no envelope");
    KeyRotation rotation =
        required(
            RecordedRotation.of(entry(envelope, payload)), folder + " has no rotation of a key");
    require(
        envelope.position() == position && envelope.hasPayload(payload),
        folder + " has another event than was recorded");
    require(rotation.isSignedBy(note), folder + " has a checkpoint that not both keys signed");
    if (!(Checkpoint.open(note, List.of(rotation.oldKey()))
        instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _))) {
      throw new Wrong(folder + " has no checkpoint");
    }
    TlogProof proof =
        required(TlogProof.read(member(folder + CaseDraft.PROOF)), folder + " has no proof");
    require(
        proof.index() == position - 1
            && Arrays.equals(proof.note().getBytes(UTF_8), note)
            && proof.leads(leaf(bytes), checkpoint),
        folder + " has an event that is not in the log");
    return rotation;
  }

  private Set<Long> positions(Pattern pattern) {
    Set<Long> positions = new TreeSet<>();
    for (String name : members.keySet()) {
      Matcher matcher = pattern.matcher(name);
      if (matcher.matches()) {
        positions.add(Long.parseUnsignedLong(matcher.group(1))); // 19 digits may be too many
      }
    }
    return positions;
  }

  /** The positions of all events; every member must belong to one, or be one of the others. */
  private Set<Long> positions() throws Wrong {
    for (String name : members.keySet()) {
      require(
          EVENT.matcher(name).matches()
              || ROTATION.matcher(name).matches()
              || FIXED.contains(name)
              || name.equals(CaseDraft.TIMESTAMP),
          "no case file has the member " + name);
    }
    return positions(EVENT);
  }

  private CheckedEvent event(long position, CaseManifest manifest, Checkpoint checkpoint)
      throws Wrong {
    String folder = CaseEvent.folder(position);
    byte[] bytes = member(folder + CaseDraft.ENVELOPE);
    ParsedEnvelope envelope = required(ParsedEnvelope.read(bytes), folder + " has no envelope");
    require(envelope.position() == position, folder + " has the envelope of another position");
    require(
        envelope.hasTag(manifest.subjects()) || OF_THE_LOG.contains(envelope.name()),
        folder + " has an event of another call");
    TlogProof proof =
        required(TlogProof.read(member(folder + CaseDraft.PROOF)), folder + " has no proof");
    require(
        proof.index() == position - 1
            && Arrays.equals(proof.note().getBytes(UTF_8), member(CaseDraft.CHECKPOINT))
            && proof.leads(leaf(bytes), checkpoint),
        folder + " has an event that is not in the log");
    require(
        envelope.hasMetadata(member(folder + CaseDraft.METADATA)),
        folder + " has other metadata than were recorded");
    return payload(folder, envelope);
  }

  private static byte[] leaf(byte[] envelope) {
    return Sha256.of(ByteBuffer.allocate(1 + envelope.length).put(1, envelope).array());
  }

  private CheckedEvent payload(String folder, ParsedEnvelope envelope) throws Wrong {
    byte[] payload = members.get(folder + CaseDraft.PAYLOAD);
    byte[] eventKey = members.get(folder + CaseDraft.KEY);
    byte[] originalKey = members.get(folder + CaseDraft.ORIGINAL_KEY);
    if (payload == null) {
      String reason =
          required(
              reason(CaseRedaction.PAYLOAD, envelope), folder + " has no payload, unexplained");
      require(eventKey == null && originalKey == null, folder + " has a key and no payload");
      return checked(envelope, Optional.empty(), reason);
    }
    require(envelope.hasPayload(payload), folder + " has another payload than was recorded");
    requireOriginals(folder, envelope, payload, originalKey);
    if (eventKey != null) {
      OpenedPayload opened =
          OpenedPayload.with(key(folder, eventKey), envelope.id(), envelope.name(), payload);
      require(opened.contentState() == ContentState.OPENED, folder + " has a key of another event");
      return checked(envelope, Optional.of(data(envelope, opened)), ContentState.OPENED.word());
    }
    OpenedPayload closed = OpenedPayload.closed(payload);
    if (closed.contentState() == ContentState.PLAIN) {
      return checked(envelope, Optional.of(data(envelope, closed)), ContentState.PLAIN.word());
    }
    String reason =
        required(reason(CaseRedaction.CONTENT, envelope), folder + " has no key, unexplained");
    return checked(envelope, Optional.of(data(envelope, closed)), reason);
  }

  /** Sealed originals have their key, or say why they have none. */
  private void requireOriginals(
      String folder, ParsedEnvelope envelope, byte[] payload, byte @Nullable [] key) throws Wrong {
    if (key != null) {
      require(
          OpenedPayload.opensOriginals(key(folder, key), envelope.id(), envelope.name(), payload),
          folder + " has a key of other originals");
    } else if (OpenedPayload.hasOriginalsApart(payload)) {
      require(
          reason(CaseRedaction.ORIGINAL, envelope).isPresent(),
          folder + " has no key of its original, unexplained");
    }
  }

  private static EventKey key(String folder, byte[] bytes) throws Wrong {
    require(bytes.length == EVENT_KEY_BYTES, folder + " has a key of another length");
    return new EventKey(bytes);
  }

  private static CheckedEvent checked(
      ParsedEnvelope envelope, Optional<JsonNode> data, String content) {
    return new CheckedEvent(
        envelope.position(), envelope.localName(), envelope.at(), envelope.node(), data, content);
  }

  private static JsonNode data(ParsedEnvelope envelope, OpenedPayload opened) {
    return EventData.of(entry(envelope, opened.json()), opened).json();
  }

  private static Entry entry(ParsedEnvelope envelope, byte[] payload) {
    return new Entry(
        envelope.position(),
        envelope.id(),
        envelope.name(),
        envelope.version(),
        envelope.at(),
        envelope.node(),
        envelope.tags(),
        payload,
        NOTHING,
        NOTHING);
  }

  private Optional<String> reason(String part, ParsedEnvelope envelope) throws Wrong {
    String begin = part + ' ' + envelope.position() + ' ';
    return redactions().stream()
        .filter(line -> line.startsWith(begin))
        .map(line -> line.substring(begin.length()))
        .findFirst();
  }

  private List<String> redactions() throws Wrong {
    List<String> lines = new String(member(CaseDraft.REDACTIONS), UTF_8).lines().toList();
    for (String line : lines) {
      require(REDACTION.matcher(line).matches(), "the redactions are not in their form");
    }
    return lines;
  }
}
