package gatebook.command.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NormalisedNameTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      textBlock =
          """
          Delete_All,                     delete_all
          ＤＥＬＥＴＥ＿ａｌｌ,              delete_all
          'ﬁle',                          file
          ΟΔΟΣ,                           οδοσ
          'delete%5Fall',                 delete_all
          '%64elete',                     delete
          'a%zz%4',                       'a%zz%4'
          'a%20b',                        'a b'
          'caf%C3%A9',                    café
          'cafe\u0301',                   café
          file:///a/../b,                 file:///b
          file:///a/%2e%2E/b,             file:///b
          file:///a/%2e%2e%2fb,           file:///b
          file:///a/%252e%252e/b,         file:///a/%2e%2e/b
          file:///a/．．/b,               file:///b
          file:///a/‥/b,                  file:///b
          file:///../../b,                file:///b
          file:////b//c,                  file:///b/c
          FILE:///B,                      file:///b
          '%66ile:///a/../b',             file:///b
          ｆｉｌｅ：／／／ａ/../b,          file:///b
          https://Host/../secret/./x/.,   https://host/secret/x/
          https://h/secret?q=/../../a//b, https://h/secret?q=/../../a//b
          https://H/secret?q=/../../a//b, https://h/secret?q=/../../a//b
          https://h/a%3F/../b,            https://h/b
          https://h/a#/../b,              https://h/a#/../b
          https://h,                      https://h
          mem:a//b/../c,                  mem:a/c
          a/../b,                         b
          ../a,                           a
          ./a/./b,                        a/b
          a//b,                           a/b
          /a/..,                          /
          .,                              ''
          """)
  void normalises(String name, String normalised) {
    assertThat(NormalisedName.of(name)).isEqualTo(normalised);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "read_file",
        "a.b-c...",
        ".hidden/..x",
        "/a/b/",
        "a\\..\\b",
        "delete\u200b_all",
        "file:///a/b?c=//../d",
        "urn:a:b"
      })
  void otherNamesStay(String name) {
    assertThat(NormalisedName.of(name)).isEqualTo(name);
  }

  @Test
  void aNameInNormalisedFormCostsNoAllocation() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Glob glob = new Glob("delete_*");
    int matching = 0;
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 10_000; i++) {
      String name = i % 2 == 0 ? "file:///srv/files/read?x=1" : "read_file";
      matching += glob.matchesEither(name, NormalisedName.of(name)) ? 1 : 0;
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(matching).isZero();
    assertThat(allocated).isLessThan(10_000);
  }
}
