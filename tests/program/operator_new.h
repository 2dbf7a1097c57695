// operator new for sanitizers' builds, also by -include: their own ends the program where the standard's
// throws.

#ifndef OPERATOR_NEW_H
#define OPERATOR_NEW_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

// What the system has to give at once, as far as the program can tell.
inline std::size_t most_memory = std::size_t{1} << 32;

void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
  return size <= most_memory ? std::malloc(size > 0 ? size : 1) : nullptr;
}

void *operator new(std::size_t size) {
  void *memory = operator new(size, std::nothrow);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

#endif
