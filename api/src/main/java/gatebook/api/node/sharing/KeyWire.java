package gatebook.api.node.sharing;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;

/**
 * The wire format of content keys and their owners between members and the owner of the journal.
 */
final class KeyWire {

  private KeyWire() {}

  static void write(ContentOwner owner, DataOutput out) throws IOException {
    out.writeBoolean(owner.principal() != null);
    if (owner.principal() != null) {
      WireFormat.text(out, owner.principal());
    }
    out.writeInt((int) owner.day().toEpochDay());
  }

  static ContentOwner owner(DataInput in) throws IOException {
    String principal = in.readBoolean() ? WireFormat.text(in) : null;
    return new ContentOwner(principal, LocalDate.ofEpochDay(in.readInt()));
  }

  static void write(KeyLookup lookup, DataOutput out) throws IOException {
    switch (lookup) {
      case KeyLookup.Found(var key) -> {
        out.writeByte('f');
        WireFormat.text(out, key.id());
        write(key.owner(), out);
        WireFormat.bytes(out, key.bytes());
      }
      case KeyLookup.Erased() -> out.writeByte('e');
      case KeyLookup.Missing() -> out.writeByte('m');
    }
  }

  static KeyLookup lookup(DataInput in) throws IOException {
    return switch (in.readByte()) {
      case 'f' ->
          new KeyLookup.Found(new ContentKey(WireFormat.text(in), owner(in), WireFormat.bytes(in)));
      case 'e' -> new KeyLookup.Erased();
      case 'm' -> new KeyLookup.Missing();
      default -> throw WireFormat.unknown();
    };
  }
}
