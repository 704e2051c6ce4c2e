#pragma once

#include "tendril/cuda/detail/context.hpp"

namespace tendril {

template <class T>
cuda_array<T>::cuda_array(std::shared_ptr<cuda::engine_context> context, std::size_t size)
    : context_(std::move(context)), values_(size, context_->stream(), context_->memory()) {}

template <class T>
std::vector<T> cuda_array<T>::to_host() const {
  context_->use();
  return cuda::to_host(values_, context_->stream());
}

template <class T>
cuda_array<T> cuda_engine::uninitialised_array(std::size_t size) const {
  context_->use();
  return cuda_array<T>(context_, size);
}

template <class T>
cuda_array<T> cuda_engine::array(std::size_t size, T value) const {
  static_assert(sizeof(T) <= 2 || (sizeof(T) % 4 == 0 && sizeof(T) <= 64),
                "an array on the GPU holds values of 1, 2, or 4, 8, 12, ... 64 bytes");
  context_->use();
  cuda_array<T> values(context_, size);
  cuda::fill_device(values.data(), &value, sizeof(T), size, context_->stream());
  return values;
}

}  // namespace tendril
