import fc from "fast-check";
import { expect, test } from "vitest";
import { addressKind, hostKind } from "./address-kind.ts";
import { showAddress } from "./show-address.ts";

test.each([
  ["https://me:word@a.example/x?token=secret#part", "https://a.example/x?…"],
  ["https://a.example/x", "https://a.example/x"],
  ["//me:word@a.example/x", "//a.example/x"],
  ["not one?secret", "not one?…"],
])("%s is shown as %s", (address, shown) => {
  expect(showAddress(address)).toBe(shown);
});

test("no password, query or control character is ever shown", () => {
  const word = fc.stringMatching(/^[a-z0-9]{8,12}$/);
  fc.assert(
    fc.property(word, word, fc.string(), (user, secret, path) => {
      const shown = showAddress(
        `https://${user}:S${secret}@a.example/${path.replace(/[?#]/g, "")}?k=S${secret}`,
      );
      expect(shown).not.toContain(`S${secret}`);
      expect(shown).not.toMatch(/[\u0000-\u001f\u007f]/);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => void showAddress(text)));
});

test("every address of the private networks is private, whatever form carries it", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, (b, c, d) => {
      const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
      for (const [a, second] of [
        [10, b],
        [192, 168],
        [169, 254],
        [172, 16 + (b % 16)],
        [100, 64 + (b % 64)],
      ] as const) {
        const address = `${a}.${second}.${c}.${d}`;
        expect(addressKind(address)).toBe("private");
        expect(addressKind(`::ffff:${address}`)).toBe("private");
        expect(addressKind(`::ffff:${hex(a, second)}:${hex(c, d)}`)).toBe("private");
        expect(addressKind(`64:ff9b::${hex(a, second)}:${hex(c, d)}`)).toBe("private");
        expect(addressKind(`2002:${hex(a, second)}:${hex(c, d)}::1`)).toBe("private");
      }
      expect(addressKind(`127.${b}.${c}.${d}`)).toBe("loopback");
      expect(hostKind(`[::ffff:127.${b}.${c}.${d}]`)).toBe("loopback");
    }),
  );
  expect([addressKind("8.8.8.8"), addressKind("2606:4700::1111"), addressKind("a.example")]).toEqual([
    "public",
    "public",
    null,
  ]);
});
