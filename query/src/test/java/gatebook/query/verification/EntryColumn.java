package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.storage.Entry;
import java.util.Arrays;

/** The columns of a row except its position. */
enum EntryColumn {
  ID,
  NAME,
  VERSION,
  AT,
  NODE,
  TAGS,
  PAYLOAD,
  METADATA,
  LEAF;

  static final EntryColumn[] CONTENTS = {ID, NAME, VERSION, AT, NODE, TAGS, PAYLOAD, METADATA};

  /** Returns the entry with another value in this column. */
  Entry changed(Entry entry) {
    return set(entry, change(get(entry)));
  }

  private byte[] change(byte[] value) {
    if (value.length == 0) {
      return new byte[] {'x'};
    }
    byte[] changed = value.clone();
    changed[changed.length - 1] ^= 1;
    return changed;
  }

  private byte[] get(Entry e) {
    return switch (this) {
      case ID -> e.id().getBytes(UTF_8);
      case NAME -> e.name().getBytes(UTF_8);
      case VERSION -> e.version().getBytes(UTF_8);
      case AT -> e.at().getBytes(UTF_8);
      case NODE -> e.node().getBytes(UTF_8);
      case TAGS -> e.tags().getBytes(UTF_8);
      case PAYLOAD -> e.payload();
      case METADATA -> e.metadata();
      case LEAF -> e.leaf();
    };
  }

  Entry set(Entry e, byte[] value) {
    return new Entry(
        e.position(),
        this == ID ? new String(value, UTF_8) : e.id(),
        this == NAME ? new String(value, UTF_8) : e.name(),
        this == VERSION ? new String(value, UTF_8) : e.version(),
        this == AT ? new String(value, UTF_8) : e.at(),
        this == NODE ? new String(value, UTF_8) : e.node(),
        this == TAGS ? new String(value, UTF_8) : e.tags(),
        this == PAYLOAD ? value : e.payload(),
        this == METADATA ? value : e.metadata(),
        this == LEAF ? value : e.leaf());
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static Entry moved(Entry e, long position) {
    return new Entry(
        position,
        e.id(),
        e.name(),
        e.version(),
        e.at(),
        e.node(),
        e.tags(),
        e.payload(),
        e.metadata(),
        Arrays.copyOf(e.leaf(), e.leaf().length));
  }
}
