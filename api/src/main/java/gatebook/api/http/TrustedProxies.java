package gatebook.api.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The addresses of the proxies that may say for whom they ask; nobody else is believed. */
public final class TrustedProxies {
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  private final List<Network> networks;

  /** The addresses that begin with the same bits. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Network(byte[] address, int bits) {

    boolean has(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      int whole = bits / Byte.SIZE;
      int mask = 0xff00 >> bits % Byte.SIZE & 0xff;
      return Arrays.equals(address, 0, whole, other, 0, whole)
          && (mask == 0 || (address[whole] & mask) == (other[whole] & mask));
    }
  }

  private TrustedProxies(List<Network> networks) {
    this.networks = List.copyOf(networks);
  }

  /** Empty when one of the texts is neither an address nor a network such as 10.0.0.0/8. */
  public static Optional<TrustedProxies> of(List<String> texts) {
    List<Network> networks = new ArrayList<>();
    for (String text : texts) {
      Optional<Network> network = network(text.strip());
      if (network.isEmpty()) {
        return Optional.empty();
      }
      networks.add(network.get());
    }
    return Optional.of(new TrustedProxies(networks));
  }

  private static Optional<Network> network(String text) {
    int slash = text.indexOf('/');
    String host = slash < 0 ? text : text.substring(0, slash);
    if (!host.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) { // no name: none is looked up
      return Optional.empty();
    }
    try {
      byte[] address = InetAddress.getByName(host).getAddress();
      int bitsMax = address.length * Byte.SIZE;
      int bits = slash < 0 ? bitsMax : Integer.parseInt(text.substring(slash + 1));
      return bits >= 0 && bits <= bitsMax
          ? Optional.of(new Network(address, bits))
          : Optional.empty();
    } catch (UnknownHostException | NumberFormatException _) {
      return Optional.empty();
    }
  }

  public boolean isEmpty() {
    return networks.isEmpty();
  }

  boolean has(InetAddress address) {
    return !networks.isEmpty()
        && networks.stream().anyMatch(network -> network.has(address.getAddress()));
  }
}
