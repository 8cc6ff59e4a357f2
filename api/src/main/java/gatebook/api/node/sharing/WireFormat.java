package gatebook.api.node.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.EventCriterion;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The wire format between members and the owner: length-prefixed frames of a number, one byte for
 * the type of the message, and its parts.
 */
final class WireFormat {

  /** Sent by both before anything else; different versions cannot communicate. */
  static final int VERSION = 3;

  /** Far more than the events of one call, the largest result, can take. */
  static final int FRAME_BYTES_MAX = 128 << 20;

  /** Stands for no position. */
  private static final long NOTHING_SEEN = -1;

  private WireFormat() {}

  /** Writes a part of a message. */
  @FunctionalInterface
  private interface PartWriter<T> {
    void write(T value, DataOutput out) throws IOException;
  }

  /** Reads a part of a message. */
  @FunctionalInterface
  private interface PartReader<T> {
    T read(DataInput in) throws IOException;
  }

  /** A message with its number, which a request and its responses share. */
  record Numbered<T>(long number, T message) {}

  static byte[] request(long number, OwnerRequest ownerRequest) throws IOException {
    return frame(number, ownerRequest, WireFormat::write);
  }

  static Numbered<OwnerRequest> request(byte[] frame) throws IOException {
    return read(frame, WireFormat::readRequest);
  }

  static byte[] response(long number, OwnerResponse ownerResponse) throws IOException {
    return frame(number, ownerResponse, WireFormat::write);
  }

  static Numbered<OwnerResponse> response(byte[] frame) throws IOException {
    return read(frame, WireFormat::readResponse);
  }

  static void send(DataOutput out, byte[] frame) throws IOException {
    out.writeInt(frame.length);
    out.write(frame);
  }

  static byte[] receive(DataInput in) throws IOException {
    return bytes(in);
  }

  static void text(DataOutput out, String text) throws IOException {
    bytes(out, text.getBytes(UTF_8));
  }

  static String text(DataInput in) throws IOException {
    return new String(bytes(in), UTF_8);
  }

  private static <T> byte[] frame(long number, T message, PartWriter<T> writer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(number);
    writer.write(message, out);
    return bytes.toByteArray();
  }

  private static <T> Numbered<T> read(byte[] frame, PartReader<T> reader) throws IOException {
    DataInput in = new DataInputStream(new ByteArrayInputStream(frame));
    return new Numbered<>(in.readLong(), reader.read(in));
  }

  private static void write(OwnerRequest ownerRequest, DataOutput out) throws IOException {
    switch (ownerRequest) {
      case OwnerRequest.Head() -> out.writeByte('h');
      case OwnerRequest.Find(var criteria, long after, long upTo, int limit) -> {
        out.writeByte('f');
        criteria(out, criteria);
        out.writeLong(after);
        out.writeLong(upTo);
        out.writeInt(limit);
      }
      case OwnerRequest.Write(var conflictCondition, var drafts) -> {
        out.writeByte('w');
        out.writeLong(conflictCondition.after());
        criteria(out, conflictCondition.criteria());
        all(out, drafts, WireFormat::write);
      }
      case OwnerRequest.CurrentKey(var owner) -> {
        out.writeByte('k');
        KeyFormat.write(owner, out);
      }
      case OwnerRequest.FindKey(var id) -> {
        out.writeByte('i');
        text(out, id);
      }
      case OwnerRequest.OperatorCall(var token, var message) -> {
        out.writeByte('q');
        text(out, token);
        bytes(out, message);
      }
      case OwnerRequest.Follow(var token, var query, var lastSeen) -> {
        out.writeByte('t');
        text(out, token);
        text(out, query);
        out.writeLong(lastSeen == null ? NOTHING_SEEN : lastSeen);
      }
    }
  }

  private static OwnerRequest readRequest(DataInput in) throws IOException {
    return switch (in.readByte()) {
      case 'h' -> new OwnerRequest.Head();
      case 'f' -> new OwnerRequest.Find(criteria(in), in.readLong(), in.readLong(), in.readInt());
      case 'w' -> {
        long after = in.readLong();
        yield new OwnerRequest.Write(
            new ConflictCondition(after, criteria(in)), all(in, WireFormat::draft));
      }
      case 'k' -> new OwnerRequest.CurrentKey(KeyFormat.owner(in));
      case 'i' -> new OwnerRequest.FindKey(text(in));
      case 'q' -> new OwnerRequest.OperatorCall(text(in), bytes(in));
      case 't' -> {
        String token = text(in);
        String query = text(in);
        long lastSeen = in.readLong();
        yield new OwnerRequest.Follow(token, query, lastSeen == NOTHING_SEEN ? null : lastSeen);
      }
      default -> throw unknown();
    };
  }

  private static void write(OwnerResponse ownerResponse, DataOutput out) throws IOException {
    switch (ownerResponse) {
      case OwnerResponse.HeadPosition(long position) -> {
        out.writeByte('h');
        out.writeLong(position);
      }
      case OwnerResponse.Found(var entries) -> {
        out.writeByte('f');
        all(out, entries, WireFormat::write);
      }
      case OwnerResponse.Appended(var append) -> {
        out.writeByte('w');
        write(append, out);
      }
      case OwnerResponse.Conflicted() -> out.writeByte('c');
      case OwnerResponse.KeyFound(var lookup) -> {
        out.writeByte('k');
        KeyFormat.write(lookup, out);
      }
      case OwnerResponse.NoKeys(var sentence) -> {
        out.writeByte('n');
        text(out, sentence);
      }
      case OwnerResponse.RpcAnswer(var answer) -> {
        out.writeByte('s');
        out.writeBoolean(answer != null);
        bytes(out, answer == null ? new byte[0] : answer);
      }
      case OwnerResponse.FollowRefused(boolean forNow, var sentence) -> {
        out.writeByte('t');
        out.writeBoolean(forNow);
        text(out, sentence);
      }
      case OwnerResponse.FollowedEvents(var events) -> {
        out.writeByte('e');
        bytes(out, events);
      }
      case OwnerResponse.FollowEnded() -> out.writeByte('o');
      case OwnerResponse.Failed() -> out.writeByte('x');
    }
  }

  private static OwnerResponse readResponse(DataInput in) throws IOException {
    return switch (in.readByte()) {
      case 'h' -> new OwnerResponse.HeadPosition(in.readLong());
      case 'f' -> new OwnerResponse.Found(all(in, WireFormat::entry));
      case 'w' -> new OwnerResponse.Appended(append(in));
      case 'c' -> new OwnerResponse.Conflicted();
      case 'k' -> new OwnerResponse.KeyFound(KeyFormat.lookup(in));
      case 'n' -> new OwnerResponse.NoKeys(text(in));
      case 's' -> {
        boolean wanted = in.readBoolean();
        byte[] answer = bytes(in);
        yield new OwnerResponse.RpcAnswer(wanted ? answer : null);
      }
      case 't' -> new OwnerResponse.FollowRefused(in.readBoolean(), text(in));
      case 'e' -> new OwnerResponse.FollowedEvents(bytes(in));
      case 'o' -> new OwnerResponse.FollowEnded();
      case 'x' -> new OwnerResponse.Failed();
      default -> throw unknown();
    };
  }

  private static void write(Append append, DataOutput out) throws IOException {
    switch (append) {
      case Append.Stored(long first, long last) -> {
        out.writeByte('s');
        out.writeLong(first);
        out.writeLong(last);
      }
      case Append.Conflict _ ->
          throw new IllegalArgumentException("a conflict is a response of its own");
      case Append.Overloaded(var reason, long retryAfterMillis) -> {
        refused(out, 'o', reason);
        out.writeLong(retryAfterMillis);
      }
      case Append.Unavailable(var reason) -> refused(out, 'u', reason);
      case Append.InDoubt(var reason) -> refused(out, 'i', reason);
      case Append.Unstorable(var reason) -> refused(out, 'n', reason);
      case Append.Distrusted(var reason) -> refused(out, 'd', reason);
      case Append.ReadOnly(var reason) -> refused(out, 'r', reason);
      // a journal closed by its owner does not mean that this member is closing
      case Append.Closed(var reason) -> refused(out, 'u', reason);
    }
  }

  private static void refused(DataOutput out, char kind, String reason) throws IOException {
    out.writeByte(kind);
    text(out, reason);
  }

  private static Append append(DataInput in) throws IOException {
    return switch (in.readByte()) {
      case 's' -> new Append.Stored(in.readLong(), in.readLong());
      case 'o' -> new Append.Overloaded(text(in), in.readLong());
      case 'u' -> new Append.Unavailable(text(in));
      case 'i' -> new Append.InDoubt(text(in));
      case 'n' -> new Append.Unstorable(text(in));
      case 'd' -> new Append.Distrusted(text(in));
      case 'r' -> new Append.ReadOnly(text(in));
      default -> throw unknown();
    };
  }

  private static void write(DraftEvent draftEvent, DataOutput out) throws IOException {
    text(out, draftEvent.id());
    text(out, draftEvent.name());
    text(out, draftEvent.version());
    text(out, draftEvent.at());
    all(out, draftEvent.tags(), WireFormat::write);
    bytes(out, draftEvent.payload());
    bytes(out, draftEvent.metadata());
  }

  private static DraftEvent draft(DataInput in) throws IOException {
    return DraftEvent.of(
        text(in),
        text(in),
        text(in),
        Instant.parse(text(in)),
        Set.copyOf(all(in, WireFormat::tag)),
        bytes(in),
        bytes(in));
  }

  private static void write(Entry entry, DataOutput out) throws IOException {
    out.writeLong(entry.position());
    text(out, entry.id());
    text(out, entry.name());
    text(out, entry.version());
    text(out, entry.at());
    text(out, entry.node());
    text(out, entry.tags());
    bytes(out, entry.payload());
    bytes(out, entry.metadata());
    bytes(out, entry.leaf());
  }

  private static Entry entry(DataInput in) throws IOException {
    return new Entry(
        in.readLong(),
        text(in),
        text(in),
        text(in),
        text(in),
        text(in),
        text(in),
        bytes(in),
        bytes(in),
        bytes(in));
  }

  private static void write(Tag tag, DataOutput out) throws IOException {
    text(out, tag.key());
    text(out, tag.value());
  }

  private static Tag tag(DataInput in) throws IOException {
    return new Tag(text(in), text(in));
  }

  private static void criteria(DataOutput out, @Nullable EventCriteria criteria)
      throws IOException {
    out.writeBoolean(criteria != null && criteria.hasCriteria());
    if (criteria != null && criteria.hasCriteria()) {
      all(out, criteria.flatten(), WireFormat::write);
    }
  }

  private static @Nullable EventCriteria criteria(DataInput in) throws IOException {
    return in.readBoolean()
        ? EventCriteria.either(List.copyOf(all(in, WireFormat::criterion)))
        : null;
  }

  private static void write(EventCriterion criterion, DataOutput out) throws IOException {
    all(out, criterion.tags(), WireFormat::write);
    Set<String> types =
        criterion.types().stream().map(QualifiedName::toString).collect(Collectors.toSet());
    all(out, types, (name, to) -> text(to, name));
  }

  private static EventCriteria criterion(DataInput in) throws IOException {
    Set<Tag> tags = Set.copyOf(all(in, WireFormat::tag));
    List<String> types = all(in, WireFormat::text);
    return types.isEmpty()
        ? EventCriteria.havingTags(tags)
        : EventCriteria.havingTags(tags)
            .andBeingOneOfTypes(types.stream().map(QualifiedName::new).collect(Collectors.toSet()));
  }

  private static <T> void all(DataOutput out, Collection<T> values, PartWriter<? super T> writer)
      throws IOException {
    out.writeInt(values.size());
    for (T value : values) {
      writer.write(value, out);
    }
  }

  private static <T> List<T> all(DataInput in, PartReader<T> reader) throws IOException {
    int size = in.readInt();
    List<T> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(reader.read(in));
    }
    return values;
  }

  static void bytes(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] bytes(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > FRAME_BYTES_MAX) {
      throw new StreamCorruptedException("invalid length: " + length);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  static StreamCorruptedException unknown() {
    return new StreamCorruptedException("unknown type of message");
  }
}
