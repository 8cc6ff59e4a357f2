import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.*;
import java.nio.file.*;
import java.security.*;
import java.security.spec.X509EncodedKeySpec;
import java.util.*;
import java.util.regex.*;
import java.util.zip.CRC32;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/**
 * Checks a case file of a Gatebook: java CheckCase.java FILE VERIFIERKEY [BYTES_MAX]
 *
 * <p>The verifier key is its text (NAME+ID+BASE64), or a file that has it. Exit code: 0 accepted, 1
 * refused, 2 wrong usage. It is written from EVIDENCE.md, without the classes of Gatebook.
 */
@SuppressWarnings("DefaultPackage") // one file, without a folder
public final class CheckCase {
  private static final long BYTES_MAX = 64 << 20;
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern EVENT =
      Pattern.compile("(events/[0-9]{19}/)(envelope|payload|metadata|proof\\.tlog-proof|key)");
  private static final List<String> OTHERS =
      List.of("README.txt", "checkpoint", "manifest", "page.html", "policy", "redactions");
  private static final Pattern MORE = Pattern.compile("timestamp|rotations/[0-9]{19}/[a-z.-]+");
  private static final Pattern HEAD =
      Pattern.compile("(made|dropped) [0-9T:.Z-]{20,40}|subject ((call|tree):[0-9a-f-]{36})");
  private static final Pattern HIDDEN =
      Pattern.compile(
          "((payload|content) [1-9][0-9]{0,18}|rules [!-~]{1,200}|timestamp checkpoint) [a-z-]+");
  private static final Pattern CHECKPOINT =
      Pattern.compile("([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/=]{44})\n");
  private static final Pattern SEALED =
      Pattern.compile("(?s)(\\{.*),\"sealed\":\\{\"key\":\"[^\"]*\",\"content\":\"([\\w+/=]*)\"}}");

  private final SortedMap<String, byte[]> members = new TreeMap<>();
  private final List<String> told = new ArrayList<>();
  private byte[] publicKey = {};

  public static void main(String[] args) {
    int exit = 2;
    try {
      long max = args.length > 2 ? Long.parseLong(args[2]) : BYTES_MAX;
      require(Files.size(Path.of(args[0])) <= max, "the file is larger than BYTES_MAX");
      byte[] file = Files.readAllBytes(Path.of(args[0]));
      String key = args[1].contains("+") ? args[1] : Files.readString(Path.of(args[1])).strip();
      publicKey(key);
      exit = 1;
      check(file, key).forEach(it -> System.out.println(it.replaceAll("[^ -~]", "?")));
    } catch (Exception e) {
      String usage = "usage: java CheckCase.java FILE VERIFIERKEY [BYTES_MAX]: ";
      System.err.println((exit == 1 ? "refused: " : usage) + e);
      System.exit(exit);
    }
  }

  /** What an accepted file shows, in lines; any exception refuses it. */
  static List<String> check(byte[] file, String key) throws Exception {
    CheckCase check = new CheckCase();
    check.publicKey = publicKey(key);
    check.unzip(file);
    check.all();
    return check.told;
  }

  /** The type and the bytes of a key NAME+ID+BASE64, where the id is a digest of the rest. */
  private static byte[] publicKey(String text) throws Exception {
    String[] parts = text.split("\\+", 3);
    byte[] typed = Base64.getDecoder().decode(parts[2]);
    require(typed.length == 33 && typed[0] == 1, "this is no verifier key");
    require(parts[1].equals(id(parts[0], typed)), "the verifier key was altered");
    return typed;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static byte[] sha256(byte[]... parts) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (byte[] part : parts) {
      digest.update(part);
    }
    return digest.digest();
  }

  private static String id(String name, byte[] typed) throws Exception {
    return HEX.formatHex(sha256((name + "\n").getBytes(UTF_8), typed), 0, 4);
  }

  /** Reads the archive by its local headers, writes it again, and compares. */
  private void unzip(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    while (in.getInt(in.position()) == 0x04034b50) {
      byte[] content = new byte[Math.min(in.getInt(in.position() + 18), file.length)];
      byte[] ascii = new byte[Short.toUnsignedInt(in.getShort(in.position() + 26))];
      in.position(in.position() + 30).get(ascii).get(content);
      String name = new String(ascii, ISO_8859_1);
      require(members.isEmpty() || members.lastKey().compareTo(name) < 0, "names not in order");
      members.put(name, content);
    }
    ByteBuffer out = ByteBuffer.allocate(file.length).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> offsets = new ArrayList<>();
    members.forEach((name, content) -> {
      offsets.add(out.position());
      common(out.putInt(0x04034b50), name, content).put(name.getBytes(UTF_8)).put(content);
    });
    int start = out.position();
    Iterator<Integer> offset = offsets.iterator();
    members.forEach((name, content) -> {
      common(out.putInt(0x02014b50).putShort((short) 10), name, content).put(new byte[10]);
      out.putInt(offset.next()).put(name.getBytes(UTF_8));
    });
    int size = out.position() - start;
    out.putInt(0x06054b50).putInt(0).putInt(members.size() * 0x10001).putInt(size).putInt(start);
    require(out.remaining() == 2 && Arrays.equals(out.array(), file), "not in its one form");
  }

  private static ByteBuffer common(ByteBuffer out, String name, byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    out.putShort((short) 10).putInt(0).putInt(0x210000).putInt((int) crc.getValue());
    return out.putInt(content.length).putInt(content.length).putInt(name.length());
  }

  private byte[] member(String name) {
    require(members.containsKey(name), name + " is missing");
    return members.get(name);
  }

  private String text(String name) {
    String text = new String(member(name), UTF_8);
    require(Arrays.equals(text.getBytes(UTF_8), member(name)), name + " is no text");
    return text;
  }

  private void all() throws Exception {
    Matcher checkpoint = CHECKPOINT.matcher(signed("checkpoint"));
    require(checkpoint.matches(), "the checkpoint is none");
    List<String> subjects = manifest(signed("manifest"), checkpoint.group(1));
    List<String> hidden = text("redactions").lines().toList();
    require(hidden.stream().allMatch(it -> HIDDEN.matcher(it).matches()), "other redactions");
    told.add("accepted: in " + checkpoint.group(1) + " of " + checkpoint.group(2) + " events");
    told.add("timestamp: " + (members.containsKey("timestamp") ? "present, not checked" : "none"));
    Set<String> folders = new TreeSet<>();
    for (String name : members.keySet()) {
      Matcher event = EVENT.matcher(name);
      require(event.matches() || OTHERS.contains(name) || MORE.matcher(name).matches(), "odd name");
      if (event.matches() && folders.add(event.group(1))) {
        event(event.group(1), checkpoint, subjects, hidden);
      }
    }
    require(!folders.isEmpty(), "there are no events");
    require(members.keySet().containsAll(OTHERS), "a member that every case file has is missing");
    hidden.forEach(line -> told.add("not shown: " + line));
    told.add("This does not prove that there are no other events.");
  }

  /** Compares the manifest with the members; returns the calls and the tree that it names. */
  private List<String> manifest(String text, String origin) throws Exception {
    StringBuilder lines = new StringBuilder("gatebook case file 1\norigin " + origin + "\n");
    List<String> subjects = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      Matcher head = HEAD.matcher(line);
      if (head.matches()) {
        lines.append(line).append('\n');
        subjects.addAll(head.group(2) == null ? List.of() : List.of(head.group(2)));
      }
    }
    for (var member : members.entrySet()) {
      if (!member.getKey().equals("manifest")) {
        lines.append(HEX.formatHex(sha256(member.getValue()))).append(' ');
        lines.append(member.getValue().length).append(' ').append(member.getKey()).append('\n');
      }
    }
    require(text.contentEquals(lines), "members or log are not those of the manifest");
    require(!subjects.isEmpty(), "the manifest names no call");
    return subjects;
  }

  /** The text of a signed note (C2SP), which the key must have signed under some name. */
  private String signed(String name) throws Exception {
    String note = text(name);
    int blank = note.lastIndexOf("\n\n");
    require(blank >= 0 && note.endsWith("\n"), name + " is no signed note");
    byte[] text = note.substring(0, blank + 1).getBytes(UTF_8);
    boolean isSigned = false;
    for (String line : note.substring(blank + 2, note.length() - 1).split("\n", -1)) {
      String[] parts = line.split(" ", 3);
      require(parts.length == 3 && parts[0].equals("\u2014"), name + " has no signature");
      byte[] blob = base64(parts[2]);
      if (id(parts[1], publicKey).equals(HEX.formatHex(Arrays.copyOf(blob, 4)))) {
        require(verifies(text, Arrays.copyOfRange(blob, 4, blob.length)), name + " was changed");
        isSigned = true;
      }
    }
    require(isSigned, name + " is signed by another key:" + note.substring(blank + 1));
    return new String(text, UTF_8);
  }

  private boolean verifies(byte[] text, byte[] signature) throws Exception {
    byte[] der = HEX.parseHex("302a300506032b6570032100" + HEX.formatHex(publicKey, 1, 33));
    Signature ed25519 = Signature.getInstance("Ed25519");
    KeyFactory keys = KeyFactory.getInstance("Ed25519");
    ed25519.initVerify(keys.generatePublic(new X509EncodedKeySpec(der)));
    ed25519.update(text);
    return signature.length == 64 && ed25519.verify(signature);
  }

  private static byte[] base64(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    require(Base64.getEncoder().encodeToString(bytes).equals(text), "base64 in another form");
    return bytes;
  }

  private void event(String folder, Matcher checkpoint, List<String> subjects, List<String> hidden)
      throws Exception {
    long position = Long.parseLong(folder.substring(7, 26));
    byte[] envelope = member(folder + "envelope");
    List<String> columns = new ArrayList<>(); // id, name, version, time, node, tags
    ByteBuffer begin = ByteBuffer.allocate(19).put("gatebook/1\n".getBytes(UTF_8));
    begin.putLong(position);
    require(Arrays.equals(Arrays.copyOf(envelope, 19), begin.array()), folder + " has another one");
    ByteBuffer in = ByteBuffer.wrap(envelope).position(19);
    for (int i = 0; i < 6; i++) {
      byte[] column = new byte[Math.min(in.getInt(), envelope.length)];
      in.get(column);
      columns.add(new String(column, UTF_8));
    }
    require(in.remaining() == 64, folder + " has no envelope");
    byte[] payloadDigest = Arrays.copyOfRange(envelope, in.position(), in.position() + 32);
    byte[] metadataDigest = Arrays.copyOfRange(envelope, in.position() + 32, envelope.length);
    boolean isRules = columns.get(1).equals("gatebook.RulesActivated");
    require(isRules || columns.get(5).lines().anyMatch(subjects::contains), "of another call");
    inLog(folder, sha256(new byte[1], envelope), position - 1, checkpoint);
    require(Arrays.equals(sha256(member(folder + "metadata")), metadataDigest), "other metadata");
    byte[] payload = members.get(folder + "payload");
    byte[] key = members.get(folder + "key");
    require(payload == null || Arrays.equals(sha256(payload), payloadDigest), "another payload");
    String json = payload == null ? "" : new String(payload, UTF_8);
    Matcher sealed = SEALED.matcher(json);
    boolean isSealed = sealed.matches();
    String lacks = payload == null ? "payload " : isSealed && key == null ? "content " : "";
    require(
        lacks.isEmpty() || hidden.stream().anyMatch(it -> it.startsWith(lacks + position + " ")),
        folder + " lacks something and does not say so");
    told.add(position + " " + columns.get(3) + " " + columns.get(1));
    told.add("  " + (isSealed ? sealed.group(1) + "}" : json));
    if (key != null) {
      require(isSealed, folder + " has a key that opens nothing");
      byte[] bound = (columns.get(0) + " " + columns.get(1)).getBytes(UTF_8);
      byte[] content = open(base64(sealed.group(2)), key, bound);
      told.add("  opened: " + new String(content, UTF_8));
    }
  }

  /** Follows the inclusion proof (RFC 9162, 2.1.3.2). */
  private void inLog(String folder, byte[] leaf, long index, Matcher checkpoint) throws Exception {
    String proof = text(folder + "proof.tlog-proof");
    String begin = "c2sp.org/tlog-proof@v1\nindex " + index + "\n";
    int end = proof.length() - text("checkpoint").length() - 1;
    require(end >= begin.length() && proof.startsWith(begin), folder + " has another proof");
    require(proof.endsWith("\n\n" + text("checkpoint")), folder + " has another checkpoint");
    long node = index;
    long last = Long.parseLong(checkpoint.group(2)) - 1;
    require(index >= 0 && index <= last, folder + " is beyond the checkpoint");
    byte[] root = leaf;
    for (int at = begin.length(); at < end; at += 45) {
      require(at + 45 <= end && proof.charAt(at + 44) == '\n', folder + " has another proof");
      byte[] hash = base64(proof.substring(at, at + 44));
      require(hash.length == 32 && last > 0, folder + " has a longer proof");
      boolean isRight = (node & 1) == 1 || node == last;
      root = sha256(new byte[] {1}, isRight ? hash : root, isRight ? root : hash);
      while (isRight && (node & 1) == 0 && node != 0) {
        node >>= 1;
        last >>= 1;
      }
      node >>= 1;
      last >>= 1;
    }
    require(last == 0 && Arrays.equals(root, base64(checkpoint.group(3))), "not in the log");
  }

  /** Opens content: a commitment to the key, then AES-256-GCM with a nonce of zeros. */
  private static byte[] open(byte[] sealed, byte[] key, byte[] bound) throws Exception {
    byte[] commitment = sha256("gatebook event key ".getBytes(UTF_8), key);
    require(key.length == 32 && sealed.length >= 48, "a key of another length");
    require(Arrays.equals(commitment, Arrays.copyOf(sealed, 32)), "a key of another event");
    Cipher aes = Cipher.getInstance("AES/GCM/NoPadding");
    GCMParameterSpec nonce = new GCMParameterSpec(128, new byte[12]);
    aes.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), nonce);
    aes.updateAAD(bound);
    return aes.doFinal(sealed, 32, sealed.length - 32);
  }
}
